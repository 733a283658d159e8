/** @module `/p/:pid/servers/:sid/history/:hid`: one entry, with its recording. */
import { useOperation } from "../../api/operation.ts";
import { EntryView } from "../../features/history/parts/entry-view.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { useOpenPage } from "../../pages/page-context.tsx";
import { ServerFrame } from "../frames/server-frame.tsx";

export function ServerHistoryEntryPage() {
  const { pid = "", sid = "", hid = "" } = useOpenPage().parameters;
  const query = useOperation("getServerHistoryEntry", { projectId: pid, serverId: sid, entryId: hid });
  return (
    <ServerFrame id="server-history-entry" section="server-history">
      {() => (
        <Loaded query={query} what="the entry">
          {(entry) => <EntryView key={entry.id} projectId={pid} entry={entry} />}
        </Loaded>
      )}
    </ServerFrame>
  );
}
