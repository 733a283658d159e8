/** @module The advisory graders of a run: asked for after it has ended, and never part of its result. */
import { z } from "zod";
import { Timestamp } from "../../timestamp.ts";
import { fraction, nameText } from "./step.ts";

const state = {
  status: z.enum(["pending", "completed", "failed"]).nullable().describe("Null: never asked for"),
  errorCode: z.string().nullable(),
  summary: z.string().nullable(),
  generatedAt: Timestamp.nullable(),
  modelUsed: z.string().nullable(),
  threshold: fraction.nullable(),
};

const graded = {
  caseKey: z.string(),
  score: fraction.nullable(),
  passed: z.boolean(),
  reason: z.string().nullable(),
};

export const EvalRunJudges = z
  .object({
    goalCompletion: z
      .object({ ...state, cases: z.array(z.object({ ...graded, rubricHits: z.array(z.string()) })) })
      .optional(),
    groundedness: z
      .object({ ...state, cases: z.array(z.object({ ...graded, unsupportedClaims: z.array(z.string()) })) })
      .optional(),
  })
  .meta({ id: "EvalRunJudges" });
export type EvalRunJudges = z.output<typeof EvalRunJudges>;

export const EvalRunJudgeRequest = z
  .strictObject({
    force: z.boolean().optional().describe("Grades again what is graded, which spends again"),
    enable: z.boolean().optional().describe("Grades a run that was recorded with the judge off"),
    model: nameText.optional(),
    threshold: fraction.optional(),
  })
  .meta({ id: "EvalRunJudgeRequest" });

const requested = { runId: z.string(), projectId: z.string(), status: z.literal("pending") };
export const EvalRunJudgeRequested = z.object(requested).meta({ id: "EvalRunJudgeRequested" });

export const EvalRunInsightsRequest = z
  .strictObject({ force: z.boolean().optional() })
  .meta({ id: "EvalRunInsightsRequest" });
export const EvalRunInsightsRequested = z.object(requested).meta({ id: "EvalRunInsightsRequested" });
