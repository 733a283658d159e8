/** @module Holds one finished session against a journey's rubric. Pure: a stored session can be graded again. */
import type { Trace } from "../agent/trace.ts";
import { transcriptOf } from "../grading/from-trace.ts";
import { JudgeLimit } from "../predicates/pattern.ts";
import { judgePredicate } from "../predicates/registry.ts";

export interface GradedCriterion {
  id: string;
  /** Null: it could not be judged, which is no failure of the session. */
  passed: boolean | null;
  reason: string;
}

/**
 * @example
 * gradeRubric([{ id: "calm", predicate: { type: "noToolErrors" } }], trace)[0].passed
 */
export function gradeRubric(
  rubric: readonly { id: string; predicate: unknown }[],
  trace: Trace,
): GradedCriterion[] {
  const transcript = transcriptOf(trace);
  return rubric.map(({ id, predicate }) => {
    try {
      const { passed, reason } = judgePredicate(predicate, transcript);
      return { id, passed, reason: reason ?? "" };
    } catch (error) {
      if (error instanceof JudgeLimit) return { id, passed: null, reason: error.message };
      throw error;
    }
  });
}
