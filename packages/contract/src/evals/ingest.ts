/** @module Runs that were made elsewhere, as they are reported. What a report says beyond what is asked for is kept and given back. */
import { z } from "zod";
import { idOf } from "../core/id-of.ts";
import { jsonObject } from "../core/json-object.ts";
import { limits } from "../core/limits/limits.ts";
import { EvalMatchOptionsInput } from "./match-options.ts";
import { CiInfo, EvalRunSummary } from "./run.ts";
import { nameText, opaqueId } from "./step.ts";
import { PassCriteria } from "./suite.ts";
import { evalResults, evalRunStatuses } from "./words.ts";

const { ingest, text } = limits;
const label = z.string().trim().min(1).max(text.nameLength);

const toolCalls = z
  .array(z.looseObject({ toolName: z.string().min(1), arguments: jsonObject.optional() }))
  .max(ingest.callsPerResult);

const tokenCount = z.int().min(0).max(limits.ingest.tokens);

export const EvalIngestResult = z
  .looseObject({
    caseTitle: nameText,
    passed: z.boolean(),
    caseId: opaqueId.optional(),
    externalCaseId: label.optional(),
    externalIterationId: label.optional(),
    query: z.string().optional(),
    durationMs: z.number().min(0).optional(),
    provider: z.string().optional(),
    model: z.string().optional(),
    expectedToolCalls: toolCalls.optional(),
    actualToolCalls: toolCalls.optional(),
    tokens: z
      .object({ input: tokenCount, output: tokenCount, total: tokenCount })
      .partial()
      .catchall(z.number())
      .optional(),
    error: z.string().optional(),
    errorDetails: z.unknown().optional(),
    trace: z
      .unknown()
      .meta({
        anyOf: [
          { type: "object", additionalProperties: true },
          { type: "array", items: { type: "object", additionalProperties: true } },
          { type: "string" },
        ],
      })
      .optional()
      .describe("An object with `messages` and `spans`, a list of `{role, content}` messages, or a text"),
    metadata: jsonObject.optional().describe("`scores` and `evaluationConfig` are read; the rest is kept"),
    isNegativeTest: z.boolean().optional(),
    expectedOutput: z.string().optional(),
    advancedConfig: jsonObject.optional(),
    widgetSnapshots: z.array(jsonObject).optional(),
    matchOptions: EvalMatchOptionsInput.optional(),
  })
  .refine(
    ({ caseId, externalCaseId }) =>
      caseId === undefined || externalCaseId === undefined || caseId === externalCaseId,
    {
      error: "caseId and externalCaseId are one id and differ",
      path: ["externalCaseId"],
    },
  )
  .meta({ id: "EvalIngestResult" });
export type EvalIngestResult = z.output<typeof EvalIngestResult>;

const results = z.array(EvalIngestResult).min(1).max(ingest.resultsPerReport);

const origin = {
  suiteName: nameText,
  suiteDescription: z.string().max(text.descriptionLength).optional(),
  serverNames: z.array(nameText).max(limits.serverGroups.servers).optional(),
  serverReplayConfigs: z.unknown().optional(),
  notes: z.string().max(text.descriptionLength).optional(),
  passCriteria: PassCriteria.optional(),
  externalRunId: label.optional().describe("The same id is the same run"),
  framework: label.optional(),
  ci: CiInfo.optional(),
  expectedIterations: z.int32().min(1).optional(),
  tags: z.array(nameText).max(limits.evals.tagsPerSuite).optional(),
  evaluationConfigHash: label.optional(),
  hostConfig: jsonObject.optional(),
  hostConfigHash: label.optional(),
};

export const EvalIngestReport = z.looseObject({ ...origin, results }).meta({ id: "EvalIngestReport" });
export type EvalIngestReport = z.output<typeof EvalIngestReport>;
export const EvalIngestStart = z.looseObject(origin).meta({ id: "EvalIngestStart" });
export type EvalIngestStart = z.output<typeof EvalIngestStart>;
const runId = idOf<"evalRun">();
export const EvalIngestIterations = z.strictObject({ runId, results }).meta({ id: "EvalIngestIterations" });
export const EvalIngestFinalize = z
  .strictObject({ runId, externalRunId: label.optional() })
  .meta({ id: "EvalIngestFinalize" });

const EvalIngestDropped = z
  .object({
    index: z.int().describe("Its place in `results`, from 0"),
    caseTitle: z.string(),
    externalIterationId: z.string().optional(),
    reason: z.string(),
  })
  .meta({ id: "EvalIngestDropped" });
export type EvalIngestDropped = z.output<typeof EvalIngestDropped>;

const dropped = z
  .array(EvalIngestDropped)
  .optional()
  .describe("Results that could not be kept, and why; the others were kept");

const told = {
  ok: z.literal(true),
  suiteId: z.string(),
  runId: z.string(),
  projectId: z.string(),
  status: z.enum(evalRunStatuses),
  result: z.enum(evalResults).nullable(),
  summary: EvalRunSummary.nullable(),
  viewUrl: z.string(),
};

export const EvalIngestFinished = z.object({ ...told, dropped }).meta({ id: "EvalIngestFinished" });
export const EvalIngestStarted = z.object({ ...told, reused: z.boolean() }).meta({ id: "EvalIngestStarted" });
export const EvalIngestAdded = z
  .object({ ok: z.literal(true), inserted: z.int(), skipped: z.int(), total: z.int(), dropped })
  .meta({ id: "EvalIngestAdded" });
export const EvalIngestUploadUrl = z
  .object({ ok: z.literal(true), uploadUrl: z.string().describe("Takes one file, once, for a short while") })
  .meta({ id: "EvalIngestUploadUrl" });
