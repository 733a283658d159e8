/** @module `/p/:pid/servers/:sid/traffic`. */
import { useSearchText } from "../app/use-search.ts";
import { TrafficLog } from "../features/traffic/parts/traffic-log.tsx";
import { ServerFrame } from "./server-frame.tsx";

export function ServerTraffic() {
  const [filter, setFilter] = useSearchText("q");
  return (
    <ServerFrame id="server-traffic" width="full">
      {(server) => <TrafficLog server={server} filter={filter} onFilter={setFilter} />}
    </ServerFrame>
  );
}
