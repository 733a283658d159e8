/** @module How a readiness run stands, in a word. */
import type { ReadinessRun } from "@fettle/contract/servers";
import { Chip } from "../../../ui/chip.tsx";
import { stateOf } from "../run-words.ts";

export function RunState({ run }: { run: ReadinessRun }) {
  const { tone, word } = stateOf(run);
  return (
    <span data-testid="readiness-run" data-status={run.status} data-grade={run.overallStatus ?? ""}>
      <Chip tone={tone}>{word}</Chip>
    </span>
  );
}
