/** @module How a journey run stands, in one word. */
import type { JourneyRun } from "@fettle/contract/visitors";
import { Chip } from "../../../ui/chip.tsx";
import { runWords } from "../run-words.ts";

export function RunChip({ run }: { run: Pick<JourneyRun, "displayStatus"> }) {
  const { tone, word } = runWords[run.displayStatus];
  return (
    <span data-testid="journey-run" data-status={run.displayStatus}>
      <Chip tone={tone}>{word}</Chip>
    </span>
  );
}
