/** @module Facts of runs for tests of comparing and gating: a case by how often it passed, and a run of such cases. */
import type { CaseFacts, RunFacts } from "../gate/run-facts.ts";
import { planOf } from "../grading/grade-case.ts";
import { evaluationConfigHash, scored } from "../grading/scores.ts";
import type { SuiteCase } from "../suite/suite-file.ts";

const item: SuiteCase = {
  id: "c_1",
  title: "One",
  steps: [
    { id: "p", kind: "prompt", prompt: "x" },
    { id: "a", kind: "assert", assertion: { type: "toolCalledAtLeastOnce", toolName: "t" } },
  ],
  checks: [{ type: "noToolErrors" }],
};
export const { definitions, scenarioContentHash } = planOf(item);

/** A case with so many passes of so many repetitions. */
export function caseOf(
  caseKey: string,
  passes: number,
  total: number,
  fields: Partial<CaseFacts> = {},
): CaseFacts {
  return {
    caseKey,
    title: caseKey,
    scenarioContentHash,
    evaluationConfigHash: evaluationConfigHash(definitions),
    definitions,
    passThreshold: 1,
    configured: total,
    verdict: total === 0 ? "inconclusive" : passes === total ? "passed" : "failed",
    iterations: Array.from({ length: total }, (_, index) => ({
      id: `${caseKey}-${index}`,
      iterationNumber: index + 1,
      status: "completed" as const,
      result: index < passes ? ("passed" as const) : ("failed" as const),
      durationMs: 100 + index,
      totalTokens: 10,
      scores: definitions.map((of) => scored(of, index < passes ? 1 : 0, "")),
    })),
    ...fields,
  };
}

export function runOf(id: string, cases: CaseFacts[], fields: Partial<RunFacts> = {}): RunFacts {
  return {
    id,
    suite: { id: "s", name: "S" },
    status: "completed",
    result: cases.every(({ verdict }) => verdict === "passed") ? "passed" : "failed",
    reasons: [],
    modelClass: "live",
    execution: { model: "m" },
    createdAt: 0,
    completedAt: 1000,
    costUsd: null,
    cases,
    ...fields,
  };
}
