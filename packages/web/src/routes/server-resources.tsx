/** @module `/p/:pid/servers/:sid/resources`. */

import { ResourceReader } from "../features/resources/parts/resource-reader.tsx";
import { useSearchText } from "../pages/use-search.ts";
import { ServerFrame } from "./frames/server-frame.tsx";

export function ServerResources() {
  const [selected, setSelected] = useSearchText("uri");
  const [filter, setFilter] = useSearchText("q");
  return (
    <ServerFrame id="server-resources" width="bench">
      {(server) => (
        <ResourceReader
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
