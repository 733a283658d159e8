/** @module What judged a repetition, check by check, what failed first. */
import type { EvalIteration } from "@fettle/contract/evals";
import { CircleAlert, CircleCheck, CircleMinus } from "lucide-react";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { checksOf, type JudgedCheck } from "../failure-reasons.ts";
import { sentence } from "../run-words.ts";

const looks = {
  failed: { word: "Failed", Shape: CircleAlert, look: "text-bad" },
  passed: { word: "Passed", Shape: CircleCheck, look: "text-good" },
  "not-judged": { word: "Not judged", Shape: CircleMinus, look: "text-faint" },
} as const satisfies Record<JudgedCheck["state"], unknown>;

export function CheckRows({ iteration }: { iteration: EvalIteration }) {
  const checks = checksOf(iteration);
  if (checks.length === 0) return null;
  return (
    <section aria-label="Checks" className="stack gap-2">
      <h3 className="font-semibold">Checks</h3>
      <ul className="grid divide-y divide-line overflow-hidden rounded-panel border border-line bg-surface">
        {checks.map(({ score, label, gating, state }) => {
          const { word, Shape, look } = looks[state];
          return (
            <li
              key={score.scorerId}
              data-testid="eval-check"
              data-state={state}
              className="flex items-start gap-3 px-3 py-2"
            >
              <Shape aria-hidden="true" className={`mt-0.75 size-4 shrink-0 ${look}`} />
              <span className="grid min-w-0 flex-1 text-sm">
                <span className="break-words">
                  <span className="sr-only">{word}: </span>
                  <VisibleText text={label} />
                </span>
                {state !== "passed" && (score.rationale ?? score.error) && (
                  <span className="break-words text-soft">
                    <VisibleText text={sentence(score.rationale ?? score.error ?? "")} />
                  </span>
                )}
              </span>
              {!gating && (
                <Chip plain title="Told, and deciding nothing.">
                  Advice
                </Chip>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
