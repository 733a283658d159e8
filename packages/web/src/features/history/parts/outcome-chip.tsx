/** @module How something came out, in a word. */
import type { HistoryOutcome } from "@fettle/contract/servers";
import { Chip } from "../../../ui/chip.tsx";
import { outcomeLooks } from "../history-words.ts";

export function OutcomeChip({ outcome, title }: { outcome: HistoryOutcome; title?: string }) {
  const { tone, word } = outcomeLooks[outcome];
  return (
    <Chip tone={tone} {...(title && { title })}>
      {word}
    </Chip>
  );
}
