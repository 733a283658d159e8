/** @module One session as a mark: a shape for each state, so that colour is not the only sign. */
import type { AttemptState } from "@fettle/contract/visitors";
import { Check, CircleDashed, LoaderCircle, type LucideIcon, Timer, X } from "lucide-react";
import { cx } from "../../../lib/cx.ts";
import { sessionWords } from "../run-words.ts";

const marks: Record<AttemptState, { Shape: LucideIcon; look: string }> = {
  pending: { Shape: CircleDashed, look: "bg-selected text-faint" },
  running: { Shape: LoaderCircle, look: "bg-info-soft text-info" },
  succeeded: { Shape: Check, look: "bg-good-soft text-good" },
  failed: { Shape: X, look: "bg-bad-soft text-bad" },
  rate_limited: { Shape: Timer, look: "bg-warn-soft text-warn" },
};

export const markLook = (state: AttemptState, isSelected = false): string =>
  cx(
    "inline-flex size-6 shrink-0 items-center justify-center rounded-[4px] outline-offset-[-2px] hover:opacity-80",
    marks[state].look,
    isSelected && "shadow-[inset_0_0_0_1.5px_currentColor]",
  );

/** Its state for those who see it; what it is called is for whoever draws it around. */
export function SessionMark({ state }: { state: AttemptState }) {
  const { Shape } = marks[state];
  return <Shape aria-hidden="true" className="size-3" strokeWidth={2.5} />;
}

export const markWords = (number: number, state: AttemptState): string =>
  `Session ${number}: ${sessionWords[state].word.toLowerCase()}`;
