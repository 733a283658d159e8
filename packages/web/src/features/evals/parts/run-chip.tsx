/** @module How a run stands, in one word. */
import type { EvalRun } from "@fettle/contract/evals";
import { Chip } from "../../../ui/chip.tsx";
import { runWord } from "../run-words.ts";

export function RunChip({ run }: { run: Pick<EvalRun, "status" | "result"> }) {
  const { tone, word } = runWord(run);
  return (
    <span data-testid="eval-run" data-status={run.status} data-result={run.result ?? ""}>
      <Chip tone={tone}>{word}</Chip>
    </span>
  );
}
