/** @module What the judge says of one case, apart from what decided. */
import type { EvalRunJudges } from "@fettle/contract/evals";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { gradesOf } from "../judge-words.ts";

export function JudgeGrades({ judges, caseKey }: { judges: EvalRunJudges; caseKey: string }) {
  const grades = gradesOf(judges, caseKey);
  if (grades.length === 0) return null;
  return (
    <section data-testid="judge-grades" aria-label="What the judge says" className="stack gap-2">
      <h3 className="font-semibold text-base">
        What the judge says{" "}
        <span className="font-normal text-faint text-sm">advisory, of the whole case</span>
      </h3>
      <ul className="grid gap-2">
        {grades.map(({ question, score, passed, reason, items }) => (
          <li key={question} className="stack gap-1 rounded-control border border-line px-3 py-2.5 text-sm">
            <span className="flex flex-wrap items-center gap-2">
              <span className="font-medium">{question}</span>
              <Chip tone={passed ? "good" : "warn"}>{passed ? "Good" : "Below its bound"}</Chip>
              {score && <span className="text-soft tabular-nums">{score}</span>}
            </span>
            {reason && (
              <p className="break-words text-soft">
                <VisibleText text={reason} />
              </p>
            )}
            {items.length > 0 && (
              <p className="break-words text-faint">
                <VisibleText text={items.join(" · ")} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
