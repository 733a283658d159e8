/** @module One run of a suite against one target. What it was launched with is frozen in it. */
import { z } from "zod";
import { limits } from "../core/limits/limits.ts";
import { page } from "../core/page.ts";
import { Timestamp } from "../core/timestamp.ts";
import { InsightsEnvelope } from "../insights/insights.ts";
import { GateWaiver, ImportEligibility } from "./gate.ts";
import { EvalRunJudges } from "./judge.ts";
import { fraction } from "./step.ts";
import { NamedServer, PassCriteria } from "./suite.ts";
import {
  evalResults,
  evalRunSources,
  evalRunStatuses,
  evalStopReasons,
  modelClasses,
  runModelSources,
} from "./words.ts";

export const EvalRunEnvironment = z
  .object({ id: z.string(), name: z.string().nullable(), revision: z.int() })
  .meta({ id: "EvalRunEnvironment" });

/** Where the code under test comes from, as the caller says. */
export const CiInfo = z
  .strictObject({
    provider: z.string(),
    branch: z.string(),
    commitSha: z.string().trim().min(1),
    runUrl: z.string(),
    pipelineId: z.string(),
    jobId: z.string(),
    pullRequest: z.string(),
  })
  .partial()
  .refine((given) => Object.values(given).every((text) => text.length <= limits.text.addressLength), {
    error: `A text is longer than ${limits.text.addressLength} characters.`,
  })
  .meta({ id: "EvalCiInfo" });
export type CiInfo = z.output<typeof CiInfo>;

export const EvalRunSummary = z
  .object({
    total: z.int().describe("Repetitions that count"),
    passed: z.int(),
    failed: z.int(),
    passRate: fraction.nullable(),
    excluded: z.int().describe("Repetitions that show nothing: not begun, cancelled, out of time, broken"),
  })
  .meta({ id: "EvalRunSummary" });
export type EvalRunSummary = z.output<typeof EvalRunSummary>;

export const EvalRunTarget = z
  .object({
    kind: z.enum(["environment", "host", "servers"]),
    id: z.string().nullable().describe("Null for a selection of servers"),
    name: z.string(),
    servers: z.array(NamedServer).describe("All that the run talks to"),
  })
  .meta({ id: "EvalRunTarget" });
export type EvalRunTarget = z.output<typeof EvalRunTarget>;

const Approvals = z.object({
  cases: z.array(z.object({ caseId: z.string(), caseKey: z.string() })),
  reason: z.string(),
  approvedBy: z.string(),
  approvedAt: Timestamp,
});

const surfaceNames = z.array(z.string());

export const EvalRun = z
  .object({
    id: z.string(),
    projectId: z.string(),
    suiteId: z.string(),
    suiteName: z.string().describe("As it was at the launch"),
    declaredSuiteId: z.string().optional(),
    runNumber: z.int(),
    runGroupId: z.string().optional(),
    status: z.enum(evalRunStatuses),
    result: z.enum(evalResults).nullable().describe("Null unless completed; a waiver never changes it"),
    reasons: z.array(z.string()).describe("Why there is no verdict"),
    stopReason: z.enum(evalStopReasons).nullable(),
    error: z.string().nullable().describe("Of a run that failed to run, for people"),
    progress: z.object({ total: z.int(), settled: z.int(), passed: z.int(), failed: z.int() }),
    summary: EvalRunSummary.nullable(),
    passCriteria: PassCriteria,
    source: z.enum(evalRunSources),
    notes: z.string().nullable(),
    target: EvalRunTarget,
    environment: EvalRunEnvironment.nullable(),
    effectiveModelId: z.string().nullable(),
    modelSource: z.enum(runModelSources).nullable().describe("Who named the model; `host`: the client"),
    modelClass: z.enum(modelClasses).nullable(),
    repetitionsCollapsed: z
      .boolean()
      .describe("A model that always does the same was asked once for each case"),
    isPartial: z
      .boolean()
      .describe("Only some of the suite's cases: in no trend, and no baseline unless it is named"),
    executionEngine: z.string().describe("`emulated`: our own loop; `harness:<name>`: what reported the run"),
    scoreIntegrity: z.enum(["valid", "invalid"]).nullable(),
    totalTokens: z.int().nullable(),
    costUsd: z.number().nullable(),
    durationMs: z.int().nullable(),
    ci: CiInfo.optional(),
    launcher: z
      .object({
        kind: z.enum(["cli", "mcp", "github_action"]),
        client: z.string().optional(),
        version: z.string().optional(),
      })
      .optional()
      .describe("As the caller says"),
    attribution: z
      .object({ surface: z.string(), userId: z.string().optional(), apiKeyId: z.string().optional() })
      .optional()
      .describe("As the credential proves"),
    approvals: Approvals.optional(),
    gateWaiver: GateWaiver.nullable(),
    createdAt: Timestamp,
    startedAt: Timestamp.nullable(),
    completedAt: Timestamp.nullable(),
    viewUrl: z.string().describe("The run's page"),
  })
  .meta({ id: "EvalRun" });
export type EvalRun = z.output<typeof EvalRun>;

export const EvalRunDetail = EvalRun.extend({
  judges: EvalRunJudges,
  insights: InsightsEnvelope.optional().describe("For members of the workspace"),
  importEligibility: ImportEligibility.optional(),
  toolSurfaceDrift: z
    .object({ added: surfaceNames, removed: surfaceNames, changed: surfaceNames })
    .nullable()
    .describe("Tools that differ from those of the suite's run before; null: not compared"),
  warnings: z.array(z.string()),
  reported: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("Of a reported run: all that its report said of the run itself, without secrets"),
}).meta({ id: "EvalRunDetail" });
export type EvalRunDetail = z.output<typeof EvalRunDetail>;

export const EvalRunPage = page(EvalRun).meta({ id: "EvalRunPage" });

export const EvalRunGroup = z
  .object({
    runGroupId: z.string(),
    suiteId: z.string(),
    createdAt: Timestamp,
    outcome: z.enum(["started", "partial", "failed"]),
    runs: z.array(EvalRun),
  })
  .meta({ id: "EvalRunGroup" });
