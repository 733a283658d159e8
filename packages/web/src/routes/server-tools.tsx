/** @module `/p/:pid/servers/:sid/tools`. */

import { ToolBench } from "../features/tools/parts/tool-bench.tsx";
import { useSearchText } from "../pages/use-search.ts";
import { ServerFrame } from "./frames/server-frame.tsx";

export function ServerTools() {
  const [selected, setSelected] = useSearchText("tool");
  const [filter, setFilter] = useSearchText("q");
  return (
    <ServerFrame id="server-tools" width="bench">
      {(server) => (
        <ToolBench
          server={server}
          selected={selected}
          onSelect={setSelected}
          filter={filter}
          onFilter={setFilter}
        />
      )}
    </ServerFrame>
  );
}
