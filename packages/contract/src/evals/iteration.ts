/** @module One repetition of a case: the row that lists show, and what is read of it alone. */
import { z } from "zod";
import { jsonObject } from "../core/json-object.ts";
import { Timestamp } from "../core/timestamp.ts";
import { EvaluationConfig, ScoreRow } from "./score.ts";
import { iterationStatuses, stepStatuses } from "./words.ts";

const MadeToolCall = z.object({
  toolName: z.string(),
  serverName: z.string().nullable(),
  arguments: jsonObject,
  toolCallId: z.string().nullable(),
  isError: z.boolean().nullable().describe("Null: it never ran, or nobody said"),
  errorCode: z.string().optional(),
  latencyMs: z.number().nullable(),
  resultBytes: z.int().nullable(),
  argsValid: z.union([z.boolean(), z.literal("unknown")]),
});

export const EvalIteration = z
  .object({
    id: z.string(),
    runId: z.string(),
    testCaseId: z.string().nullable().describe("Null: the case is not a row any more, or never was"),
    caseKey: z.string(),
    title: z.string(),
    iterationNumber: z.int(),
    model: z.string().nullable(),
    provider: z.string().nullable(),
    status: z.enum(iterationStatuses),
    result: z.enum(["passed", "failed"]).nullable(),
    stopCause: z.string().nullable(),
    error: z.string().nullable().describe("Why it failed or has no result, for people"),
    errorClass: z.string().nullable().describe("Whose fault: tool, model, server, infrastructure, ours"),
    startedAt: Timestamp.nullable(),
    durationMs: z.number().nullable(),
    tokensUsed: z.int().nullable(),
    usage: z.record(z.string(), z.union([z.number(), z.boolean()])).nullable(),
    costUsd: z.number().nullable(),
    expectedToolCalls: z.array(z.object({ toolName: z.string(), arguments: jsonObject })),
    actualToolCalls: z.array(MadeToolCall),
    scores: z.array(ScoreRow).nullable(),
    evaluationConfig: EvaluationConfig.nullable(),
    scoreIntegrity: z.literal("score_integrity_invalid").nullable(),
    surfaceChangedMidRun: z.boolean(),
    hasTrace: z.boolean(),
  })
  .meta({ id: "EvalIteration" });
export type EvalIteration = z.output<typeof EvalIteration>;

export const EvalIterationStep = z
  .object({
    stepId: z.string(),
    stepIndex: z.int(),
    kind: z.enum(["prompt", "toolCall", "interact", "assert"]),
    status: z.enum(stepStatuses),
    reason: z.string().nullable(),
    evidence: jsonObject.optional().describe("Absent where no trace is kept"),
  })
  .meta({ id: "EvalIterationStep" });
export type EvalIterationStep = z.output<typeof EvalIterationStep>;

const open = z.looseObject({});

/** The trace as it was recorded; `version` says how to read it. */
export const EvalIterationTrace = z
  .looseObject({
    runId: z.string(),
    iterationId: z.string(),
    caseKey: z.string(),
    messages: z.array(open),
    spans: z.array(open),
    prompts: z
      .array(
        z.object({
          promptIndex: z.int(),
          expected: z.array(open),
          actual: z.array(open),
          missing: z.array(open),
          extra: z.array(open),
          pairs: z
            .array(z.tuple([z.int(), z.int()]))
            .describe("The index of an expected call, and of the made one that is it"),
        }),
      )
      .describe("What each turn expected and did"),
  })
  .meta({ id: "EvalIterationTrace" });
export type EvalIterationTrace = z.output<typeof EvalIterationTrace>;
