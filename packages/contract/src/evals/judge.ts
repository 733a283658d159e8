/** @module The advisory graders of a run: asked for after it has ended, and never part of its result. */
import { z } from "zod";
import { Timestamp } from "../core/timestamp.ts";
import { fraction, nameText } from "./step.ts";

const state = {
  status: z.enum(["pending", "completed", "failed"]).nullable().describe("Null: never asked for"),
  errorCode: z.string().nullable(),
  summary: z.string().nullable(),
  generatedAt: Timestamp.nullable(),
  modelUsed: z.string().nullable(),
  deterministic: z.boolean().optional().describe("True: graded by the built-in rules, and by no model"),
  promptHash: z.string().optional().describe("Of what the model was told to do"),
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
export type EvalRunJudgeRequest = z.output<typeof EvalRunJudgeRequest>;

/** Of what went wrong; a judge that failed has graded nothing. */
export const judgeErrorCodes = [
  "judge_evidence_unavailable",
  "judge_context_limit",
  "judge_output_invalid",
  "judge_budget_exhausted",
  "judge_deadline_exceeded",
  "judge_model_failed",
] as const;
export type JudgeErrorCode = (typeof judgeErrorCodes)[number];

const requested = { runId: z.string(), projectId: z.string(), status: z.literal("pending") };
export const EvalRunJudgeRequested = z.object(requested).meta({ id: "EvalRunJudgeRequested" });

export const EvalRunInsightsRequest = z
  .strictObject({ force: z.boolean().optional() })
  .meta({ id: "EvalRunInsightsRequest" });
export const EvalRunInsightsRequested = z.object(requested).meta({ id: "EvalRunInsightsRequested" });
