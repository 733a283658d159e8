/** @module Findings over what was observed, in the one envelope that eval runs, swarm waves and user-testing windows share. */
import { z } from "zod";
import { Timestamp } from "../core/timestamp.ts";

const unit = z.enum(["iterations", "sessions"]);
export const insightScopeKinds = ["eval_run", "swarm_wave", "user_testing_window"] as const;
export const findingSeverities = ["info", "low", "medium", "high"] as const;

export const InsightScope = z
  .object({
    kind: z.enum(insightScopeKinds),
    id: z.string(),
    runId: z.string().optional().describe("`swarm_wave` only"),
    scenarioId: z.string().optional().describe("`user_testing_window` only"),
    windowStartAt: Timestamp.optional().describe("`user_testing_window` only; epoch milliseconds"),
    windowEndAt: Timestamp.optional().describe("`user_testing_window` only; epoch milliseconds"),
  })
  .refine((scope) => scope.runId === undefined || scope.kind === "swarm_wave", {
    path: ["runId"],
    error: "runId belongs to swarm_wave alone.",
  })
  .refine(
    (scope) =>
      scope.kind === "user_testing_window" ||
      (scope.scenarioId === undefined &&
        scope.windowStartAt === undefined &&
        scope.windowEndAt === undefined),
    { error: "scenarioId, windowStartAt and windowEndAt belong to user_testing_window alone." },
  )
  .meta({ id: "InsightScope" });
export type InsightScope = z.output<typeof InsightScope>;

export const ActionableFindingEvidence = z
  .object({
    kind: z.enum(["tool_error", "transcript", "feedback", "judge", "contrast"]),
    excerpt: z.string().describe("Scrubbed and clipped; never a whole transcript"),
    sessionId: z.string().optional(),
    iterationId: z.string().optional(),
    toolName: z.string().optional(),
    errorCode: z.string().optional(),
    messageIndex: z.int().optional().describe("Where in the transcript it is, if at one message"),
  })
  .meta({ id: "ActionableFindingEvidence" });
export type ActionableFindingEvidence = z.output<typeof ActionableFindingEvidence>;

const FindingTarget = z.object({
  serverId: z.string(),
  toolName: z.string().optional(),
  surface: z.enum([
    "description",
    "input_schema",
    "output_schema",
    "handler",
    "server_instructions",
    "capability",
  ]),
  fieldPath: z.string().optional(),
  snapshotHash: z
    .string()
    .describe("The pinned snapshot it was resolved against, so it cannot re-point at a changed definition"),
  currentDefinition: z
    .object({
      truncated: z.boolean(),
      description: z.string().optional(),
      inputSchemaJson: z.string().optional(),
      outputSchemaJson: z.string().optional(),
    })
    .optional(),
});

export const ActionableFinding = z
  .object({
    id: z
      .string()
      .regex(/^rf_[0-9a-f]{16}$/)
      .describe("The same problem keeps the same id across runs"),
    signalFingerprint: z.string().describe("The signal it derives from; several findings may share one"),
    title: z.string(),
    category: z.enum([
      "unknown",
      "tool_contract",
      "tool_runtime",
      "capability_gap",
      "workflow",
      "agent_behavior",
      "test_design",
      "environment",
    ]),
    attribution: z
      .enum([
        "unknown",
        "server_contract",
        "server_runtime",
        "server_capability",
        "agent_or_prompt",
        "test_design",
        "environment",
      ])
      .describe("Whose problem it is"),
    actionTarget: z
      .enum(["investigate", "mcp_server", "agent_configuration", "eval_case", "environment"])
      .describe("What to change"),
    actionability: z
      .enum(["informational", "investigate", "ready"])
      .describe("`ready` names a specific target and change"),
    severity: z.enum(findingSeverities),
    confidence: z.enum(["low", "medium", "high"]),
    observed: z.string().describe("Counts and identities, never a model's prose"),
    rootCause: z.string().optional(),
    recommendation: z.string().describe("Written by a model"),
    acceptanceCriteria: z.array(z.string()).describe("How to know that the fix worked"),
    affected: z.object({ count: z.int(), total: z.int(), unit }),
    patternSlug: z.string().optional(),
    target: FindingTarget.optional(),
    evidence: z.array(ActionableFindingEvidence),
  })
  .refine(
    (finding) =>
      finding.target !== undefined ||
      finding.actionTarget !== "mcp_server" ||
      finding.actionability !== "ready",
    { path: ["target"], error: "A finding that is ready to be fixed in a server names its target." },
  )
  .meta({ id: "ActionableFinding" });
export type ActionableFinding = z.output<typeof ActionableFinding>;

const Coverage = z
  .object({
    unit,
    analyzed: z.int(),
    total: z.int(),
    gradedCount: z.int().optional(),
    feedbackCount: z.int().optional(),
    truncated: z.boolean().describe("The analysis saw `analyzed` of `total`, not all"),
    lowConfidence: z.boolean().describe("Too little was analyzed to generalize"),
  })
  .describe("What the analysis looked at");

const RunHealth = z
  .object({
    targets: z.array(
      z.object({
        subjectKind: z.enum(["environment", "host"]),
        subjectId: z.string(),
        subjectLabel: z.string(),
        attempted: z.int(),
        succeeded: z.int(),
        failed: z.int(),
        rateLimited: z.int(),
      }),
    ),
  })
  .describe("Swarms only: how launches went; never a finding");

const Truncation = z
  .object({
    truncated: z.boolean(),
    omittedFindings: z.int(),
    omittedEvidence: z.int(),
    contractTruncated: z.boolean(),
  })
  .describe("What this answer left out, apart from what the analysis saw");

export const InsightsEnvelope = z
  .object({
    schemaVersion: z.literal(1),
    scope: InsightScope,
    status: z.enum(["not_available", "not_requested", "pending", "completed", "failed"]),
    reasonCode: z.string().nullable(),
    retryable: z.boolean().describe("Whether asking again could give a different answer"),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    generatedAt: Timestamp.nullable(),
    updatedAt: Timestamp.nullable(),
    summary: z.string().nullable(),
    coverage: Coverage,
    findings: z.array(ActionableFinding),
    runHealth: RunHealth.optional(),
    truncation: Truncation,
  })
  .meta({ id: "InsightsEnvelope" });
export type InsightsEnvelope = z.output<typeof InsightsEnvelope>;
