/** @module `/p/:pid/servers/:sid/prompts`. */

import { PromptBench } from "../features/prompts/parts/prompt-bench.tsx";
import { useSearchText } from "../pages/use-search.ts";
import { ServerFrame } from "./frames/server-frame.tsx";

export function ServerPrompts() {
  const [selected, setSelected] = useSearchText("prompt");
  const [filter, setFilter] = useSearchText("q");
  return (
    <ServerFrame id="server-prompts" width="bench">
      {(server) => (
        <PromptBench
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
