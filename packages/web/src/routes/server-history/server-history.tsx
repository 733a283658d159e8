/** @module `/p/:pid/servers/:sid/history`: what was done with the server, and the calls saved to be made again. */
import { HistoryPanel } from "../../features/history/parts/history-panel.tsx";
import { SavedCalls } from "../../features/history/parts/saved-calls.tsx";
import { useSearchText } from "../../pages/use-search.ts";
import { ServerFrame } from "../frames/server-frame.tsx";

export function ServerHistory() {
  const kind = useSearchText("kind");
  const outcome = useSearchText("outcome");
  return (
    <ServerFrame id="server-history">
      {(server) => (
        <>
          <SavedCalls server={server} />
          <HistoryPanel server={server} kind={kind} outcome={outcome} />
        </>
      )}
    </ServerFrame>
  );
}
