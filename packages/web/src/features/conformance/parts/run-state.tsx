/** @module How a run stands, in a word. */
import type { ConformanceRun } from "@fettle/contract/servers";
import { Chip } from "../../../ui/chip.tsx";
import { stateOf } from "../run-words.ts";

export function RunState({ run }: { run: ConformanceRun }) {
  const { tone, word } = stateOf(run);
  return (
    <span data-testid="conformance-run" data-status={run.status} data-outcome={run.outcome ?? ""}>
      <Chip tone={tone}>{word}</Chip>
    </span>
  );
}
