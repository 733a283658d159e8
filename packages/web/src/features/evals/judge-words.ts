/** @module What a judge said of a run, in words. A grade is advice: it never changes a result. */
import type { EvalRunJudges, JudgeErrorCode } from "@fettle/contract/evals";
import { percent } from "../../lib/amounts.ts";
import type { Word } from "./run-words.ts";

type Judge = NonNullable<EvalRunJudges["goalCompletion"]>;

export const judgeStates: Record<NonNullable<Judge["status"]> | "none", Word> = {
  none: { tone: "neutral", word: "Not asked" },
  pending: { tone: "info", word: "Grading" },
  completed: { tone: "good", word: "Graded" },
  failed: { tone: "warn", word: "Not graded" },
};

const failures: Record<JudgeErrorCode, string> = {
  judge_evidence_unavailable: "Nothing was kept of the run that could be graded.",
  judge_context_limit: "More was recorded than a judge is shown.",
  judge_output_invalid: "The judge did not answer with a grade.",
  judge_budget_exhausted: "The limit of what may be spent was reached.",
  judge_deadline_exceeded: "The judge took too long.",
  judge_model_failed: "The judge's model could not be asked.",
};

/** Why nothing was graded. */
export function judgeFailure({ errorCode, summary }: Judge): string {
  const known: Record<string, string> = failures;
  return known[errorCode ?? ""] ?? summary ?? "It ended without grades.";
}

export interface CaseGrade {
  question: string;
  score: string | null;
  passed: boolean;
  reason: string | null;
  /** What was missing, or nothing backs. */
  items: readonly string[];
}

/** What was asked of the case, as far as it was graded. */
export function gradesOf({ goalCompletion, groundedness }: EvalRunJudges, caseKey: string): CaseGrade[] {
  const told = (
    question: string,
    graded: Omit<CaseGrade, "question" | "score"> & { score: number | null },
  ) => ({
    ...graded,
    question,
    score: graded.score === null ? null : percent(graded.score),
  });
  const isIt = (each: { caseKey: string }) => each.caseKey === caseKey;
  const goal = goalCompletion?.cases.find(isIt);
  const ground = groundedness?.cases.find(isIt);
  return [
    ...(goal ? [told("Was the goal reached?", { ...goal, items: goal.rubricHits })] : []),
    ...(ground
      ? [told("Do the tools' results back the answer?", { ...ground, items: ground.unsupportedClaims })]
      : []),
  ];
}

/** How many cases a judge finds good. */
export function judgeScore({ cases }: { cases: readonly { passed: boolean }[] }): string {
  const good = cases.filter(({ passed }) => passed).length;
  return `${good} of ${cases.length} ${cases.length === 1 ? "case" : "cases"} good`;
}
