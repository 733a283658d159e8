/** @module A finished run judged again from what was kept of it, under the suite's checks of now or under others. Its own result stays. */
import { z } from "zod";
import { Timestamp } from "../core/timestamp.ts";
import { checkList } from "./case.ts";
import { EvalRunSummary } from "./run.ts";
import { evalResults } from "./words.ts";

export const EvalRunRegradeRequest = z
  .strictObject({
    checks: checkList.optional().describe("Instead of the suite's own; absent: as the suite is set now"),
  })
  .meta({ id: "EvalRunRegradeRequest" });
export type EvalRunRegradeRequest = z.output<typeof EvalRunRegradeRequest>;

export const EvalRunGrading = z
  .object({
    runId: z.string(),
    revision: z.int().describe("From 1; the run's own result is none of them"),
    result: z.enum(evalResults),
    reasons: z.array(z.string()),
    summary: EvalRunSummary,
    ungraded: z.int().describe("Repetitions of which nothing was kept that could be judged"),
    cases: z.array(
      z.object({
        caseKey: z.string(),
        title: z.string(),
        verdict: z.enum(evalResults),
        passed: z.int(),
        failed: z.int(),
        before: z.object({ passed: z.int(), failed: z.int() }).describe("As the run has it"),
        reason: z.string().nullable().describe("Why the first repetition that fails does"),
      }),
    ),
    createdAt: Timestamp,
  })
  .meta({ id: "EvalRunGrading" });
export type EvalRunGrading = z.output<typeof EvalRunGrading>;
