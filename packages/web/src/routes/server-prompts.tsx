/** @module `/p/:pid/servers/:sid/prompts`. */
import { useSearchText } from "../app/use-search.ts";
import { PromptBench } from "../features/prompts/parts/prompt-bench.tsx";
import { ServerFrame } from "./server-frame.tsx";

export function ServerPrompts() {
  const [selected, setSelected] = useSearchText("prompt");
  const [filter, setFilter] = useSearchText("q");
  return (
    <ServerFrame id="server-prompts" width="full">
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
