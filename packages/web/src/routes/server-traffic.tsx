/** @module `/p/:pid/servers/:sid/traffic`. */

import { MessageLog } from "../features/traffic/parts/message-log.tsx";
import { useSearchText } from "../pages/use-search.ts";
import { ServerFrame } from "./frames/server-frame.tsx";

export function ServerTraffic() {
  const [filter, setFilter] = useSearchText("q");
  return (
    <ServerFrame id="server-traffic" width="bench">
      {(server) => (
        <div className="flex min-h-0 flex-1 flex-col max-xl:h-[70dvh]">
          <MessageLog server={server} filter={filter} onFilter={setFilter} />
        </div>
      )}
    </ServerFrame>
  );
}
