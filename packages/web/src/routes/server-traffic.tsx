/** @module `/p/:pid/servers/:sid/traffic`. */

import { TrafficLog } from "../features/traffic/parts/traffic-log.tsx";
import { useSearchText } from "../pages/use-search.ts";
import { ServerFrame } from "./frames/server-frame.tsx";

export function ServerTraffic() {
  const [filter, setFilter] = useSearchText("q");
  return (
    <ServerFrame id="server-traffic" width="full">
      {(server) => <TrafficLog server={server} filter={filter} onFilter={setFilter} />}
    </ServerFrame>
  );
}
