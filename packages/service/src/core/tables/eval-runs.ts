/** @module Runs, what each was launched with, its repetitions, their traces, and waivers. Lists read small rows; what is large lies beside them. */
import type {
  ApiKeyId,
  ClientId,
  EnvironmentId,
  EvalCaseId,
  EvalIterationId,
  EvalRunGroupId,
  EvalRunId,
  EvalSuiteId,
  GateWaiverId,
  JobId,
  ProjectId,
} from "@fettle/contract/core";
import {
  type CiInfo,
  type EvalIteration,
  type EvalRun,
  type EvalRunDetail,
  type EvalRunGrading,
  type EvalRunGroupCreated,
  type EvalRunJudges,
  type EvalRunSummary,
  type EvalRunTarget,
  type EvaluationConfig,
  evalResults,
  evalRunSources,
  evalRunStatuses,
  evalStopReasons,
  type ImportEligibility,
  iterationStatuses,
  modelClasses,
} from "@fettle/contract/evals";
import type { IterationGrade, Trace } from "@fettle/evals";
import type { SnapshotTool } from "@fettle/insights";
import { isNull, sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  boolean,
  doublePrecision,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { jsonb } from "../db/json-columns.ts";
import { author } from "./accounts.ts";
import { evalSuites } from "./eval-suites.ts";
import { instant } from "./instant.ts";
import { ofProject } from "./projects.ts";

const inProject = () => ({
  projectId: ofProject(),
  suiteId: text("suite_id")
    .$type<EvalSuiteId>()
    .notNull()
    .references(() => evalSuites.id, { onDelete: "cascade" }),
});

/** Runs that one launch started together; they hold one slot until the last has ended. */
export const evalRunGroups = pgTable(
  "eval_run_groups",
  {
    id: text("id").$type<EvalRunGroupId>().primaryKey(),
    ...inProject(),
    /** Of every target, in the order asked for. */
    receipt: jsonb("receipt").$type<EvalRunGroupCreated>().notNull(),
    /** Of the caller, the suite and the key. */
    idempotencyScope: text("idempotency_scope"),
    requestHash: text("request_hash"),
    createdBy: author("created_by"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("eval_run_groups_idempotency").on(table.idempotencyScope),
    index("eval_run_groups_suite").on(table.suiteId),
  ],
);

export const evalRuns = pgTable(
  "eval_runs",
  {
    id: text("id").$type<EvalRunId>().primaryKey(),
    ...inProject(),
    groupId: text("group_id")
      .$type<EvalRunGroupId>()
      .references(() => evalRunGroups.id, { onDelete: "set null" }),
    /** A label of the caller's, where it is no group of ours. */
    groupLabel: text("group_label"),
    runNumber: integer("run_number").notNull(),
    suiteName: text("suite_name").notNull(),
    declaredSuiteId: text("declared_suite_id"),
    status: text("status", { enum: evalRunStatuses }).notNull(),
    result: text("result", { enum: evalResults }),
    reasons: text("reasons").array().notNull().default([]),
    stopReason: text("stop_reason", { enum: evalStopReasons }),
    error: text("error"),
    source: text("source", { enum: evalRunSources }).notNull(),
    notes: text("notes"),
    target: jsonb("target").$type<EvalRunTarget>().notNull(),
    environmentId: text("environment_id").$type<EnvironmentId>(),
    environmentName: text("environment_name"),
    environmentRevision: integer("environment_revision"),
    clientId: text("client_id").$type<ClientId>(),
    model: text("model"),
    modelSource: text("model_source").$type<NonNullable<EvalRun["modelSource"]>>(),
    modelClass: text("model_class", { enum: modelClasses }),
    repetitionsCollapsed: boolean("repetitions_collapsed").notNull().default(false),
    /** Of some of the suite's cases, and so no measure of the suite. */
    isPartial: boolean("is_partial").notNull().default(false),
    /** Percent of the repetitions. */
    minimumPassRate: doublePrecision("minimum_pass_rate").notNull(),
    /** Repetitions planned; what has settled is counted in `eval_iterations` until the summary is written. */
    planned: integer("planned").notNull(),
    summary: jsonb("summary").$type<EvalRunSummary>(),
    scoreIntegrity: text("score_integrity", { enum: ["valid", "invalid"] }),
    evaluationConfigHash: text("evaluation_config_hash"),
    totalTokens: integer("total_tokens"),
    costUsd: doublePrecision("cost_usd"),
    ci: jsonb("ci").$type<CiInfo>(),
    /** As in `ci`, to look runs up by. */
    commitSha: text("commit_sha"),
    launcher: jsonb("launcher").$type<EvalRun["launcher"]>(),
    approvals: jsonb("approvals").$type<EvalRun["approvals"]>(),
    importEligibility: jsonb("import_eligibility").$type<ImportEligibility>(),
    toolSurfaceDrift: json("tool_surface_drift").$type<EvalRunDetail["toolSurfaceDrift"]>(),
    warnings: json("warnings").$type<string[]>().notNull().default([]),
    judges: json("judges").$type<EvalRunJudges>().notNull().default({}),
    /** Whoever grades: when it is over and the judges still pend, nobody does. */
    judgeJobId: text("judge_job_id").$type<JobId>(),
    /** The surface the credential proved: a key, the command line, the pages. */
    surface: text("surface").notNull(),
    createdBy: author("created_by"),
    apiKeyId: text("api_key_id").$type<ApiKeyId>(),
    /** Of the caller, the suite and the key; of a schedule's window; each is one run. */
    idempotencyScope: text("idempotency_scope"),
    /** Of everything asked for, so that two equal launches without a key within moments are one. */
    requestHash: text("request_hash"),
    /** The reporter's own name for a run made elsewhere. */
    externalRunId: text("external_run_id"),
    expectedIterations: integer("expected_iterations"),
    framework: text("framework"),
    jobId: text("job_id").$type<JobId>(),
    createdAt: instant("created_at").notNull(),
    startedAt: instant("started_at"),
    completedAt: instant("completed_at"),
  },
  (table) => [
    index("eval_runs_project").on(table.projectId, table.createdAt, table.id),
    index("eval_runs_status").on(table.projectId, table.status, table.createdAt, table.id),
    index("eval_runs_suite").on(table.suiteId, table.createdAt, table.id),
    index("eval_runs_rated")
      .on(table.suiteId, table.createdAt, table.id)
      .where(sql`not is_partial and status = 'completed' and summary ->> 'passRate' is not null`),
    index("eval_runs_commit")
      .on(table.projectId, table.commitSha, table.createdAt, table.id)
      .where(sql`${table.commitSha} is not null`),
    index("eval_runs_group").on(table.groupId).where(sql`${table.groupId} is not null`),
    index("eval_runs_group_of")
      .on(table.projectId, sql`coalesce(${table.groupId}, ${table.groupLabel})`, table.createdAt, table.id)
      .where(sql`coalesce(${table.groupId}, ${table.groupLabel}) is not null`),
    index("eval_runs_open").on(table.projectId).where(sql`status in ('pending', 'running')`),
    index("eval_runs_request").on(table.suiteId, table.requestHash, table.createdAt),
    uniqueIndex("eval_runs_number").on(table.suiteId, table.runNumber),
    uniqueIndex("eval_runs_idempotency").on(table.idempotencyScope),
    index("eval_runs_judging").on(table.judgeJobId).where(sql`${table.judgeJobId} is not null`),
    uniqueIndex("eval_runs_external").on(table.projectId, table.externalRunId),
  ],
);

/** A run judged again from what was kept of it, under other checks: its own result stays. */
export const evalRunGradings = pgTable(
  "eval_run_gradings",
  {
    runId: text("run_id")
      .$type<EvalRunId>()
      .notNull()
      .references(() => evalRuns.id, { onDelete: "cascade" }),
    revision: integer("revision").notNull(),
    grading: json("grading").$type<EvalRunGrading>().notNull(),
    createdBy: author("created_by"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.revision] })],
);

/** What a run was launched with, whole: later edits of the suite do not reach it. */
export const evalRunSnapshots = pgTable("eval_run_snapshots", {
  runId: text("run_id")
    .$type<EvalRunId>()
    .primaryKey()
    .references(() => evalRuns.id, { onDelete: "cascade" }),
  /** Cases, target, settings, judge, budgets; as JSON text, which keeps what `jsonb` cannot. */
  snapshot: json("snapshot").notNull(),
  /** Keys of models for this run alone, sealed; dropped when it ends. */
  sealedModelKeys: text("sealed_model_keys"),
});

/** What the reporter of a run made elsewhere said of it, but for its results; one run at a time is read with it. */
export const evalRunReports = pgTable("eval_run_reports", {
  runId: text("run_id")
    .$type<EvalRunId>()
    .primaryKey()
    .references(() => evalRuns.id, { onDelete: "cascade" }),
  /** JSON as text: it may hold what a JSON column cannot. */
  said: json("said").$type<Record<string, unknown>>().notNull(),
});

export interface ToolSnapshot {
  serverName: string;
  serverInfo: unknown;
  protocolVersion: string;
  instructions: string | null;
  capabilities: unknown;
  tools: SnapshotTool[];
  toolsHash: string;
  /** The tools by name, each with the digest of what a model judges it by. */
  hashes: Record<string, string>;
}

/** What a server offered, once for each content. */
export const evalToolSnapshots = pgTable(
  "eval_tool_snapshots",
  {
    projectId: inProject().projectId,
    hash: text("hash").notNull(),
    snapshot: json("snapshot").$type<ToolSnapshot>().notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.hash] })],
);

export const evalRunTools = pgTable(
  "eval_run_tools",
  {
    runId: text("run_id")
      .$type<EvalRunId>()
      .notNull()
      .references(() => evalRuns.id, { onDelete: "cascade" }),
    serverId: text("server_id").notNull(),
    serverName: text("server_name").notNull(),
    hash: text("hash").notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.serverId] })],
);

/** Failed ones, then those without a verdict, then what passed. The same words here and in a query, or no index serves it. */
export const iterationRank = ({ result }: { result: AnyPgColumn }) =>
  sql<number>`(case when ${result} = 'failed' then 0 when ${result} is null then 1 else 2 end)`;

/** What lists show of a repetition; kept small. */
export const evalIterations = pgTable(
  "eval_iterations",
  {
    id: text("id").$type<EvalIterationId>().primaryKey(),
    /** No reference: `deleted-runs.ts` says why. */
    runId: text("run_id").$type<EvalRunId>().notNull(),
    /**
     * The run's, so that a project's conversations are found in the order of time. A trigger fills it in for processes of an earlier
     * version. Null: its run was deleted before this was noted.
     */
    projectId: text("project_id").$type<ProjectId>(),
    /** Its place in the run, from 0: case by case, then model, then repetition. */
    ordinal: integer("ordinal").notNull(),
    /** No reference: a case may be deleted, and its past stays. */
    caseId: text("case_id").$type<EvalCaseId>(),
    caseKey: text("case_key").notNull(),
    title: text("title").notNull(),
    iterationNumber: integer("iteration_number").notNull(),
    model: text("model"),
    provider: text("provider"),
    status: text("status", { enum: iterationStatuses }).notNull(),
    result: text("result", { enum: ["passed", "failed"] }),
    stopCause: text("stop_cause"),
    error: text("error"),
    errorClass: text("error_class"),
    startedAt: instant("started_at"),
    durationMs: doublePrecision("duration_ms"),
    tokensUsed: integer("tokens_used"),
    usage: jsonb("usage").$type<EvalIteration["usage"]>(),
    costUsd: doublePrecision("cost_usd"),
    expectedToolCalls: json("expected_tool_calls").$type<EvalIteration["expectedToolCalls"]>(),
    actualToolCalls: json("actual_tool_calls").$type<EvalIteration["actualToolCalls"]>(),
    scores: json("scores").$type<EvalIteration["scores"]>(),
    /** Of a reported run, as it was sent; what we judged by follows from the run's snapshot. */
    evaluationConfig: json("evaluation_config").$type<EvaluationConfig>(),
    scoreIntegrity: text("score_integrity", { enum: ["score_integrity_invalid"] }),
    evaluatorError: boolean("evaluator_error").notNull().default(false),
    surfaceChanged: boolean("surface_changed").notNull().default(false),
    hasTrace: boolean("has_trace").notNull().default(false),
    /** The reporter's own name, or the digest of what was reported. */
    externalIterationId: text("external_iteration_id"),
    jobId: text("job_id").$type<JobId>(),
    /** How often it was begun: a worker that died leaves one to be begun again. */
    attempts: integer("attempts").notNull().default(0),
  },
  (table) => [
    uniqueIndex("eval_iterations_order").on(table.runId, table.ordinal),
    index("eval_iterations_case").on(table.runId, table.caseKey, table.ordinal),
    index("eval_iterations_unsettled")
      .on(table.runId, table.ordinal)
      .where(sql`status in ('pending', 'running')`),
    index("eval_iterations_worst").on(table.runId, iterationRank(table), table.ordinal),
    index("eval_iterations_lost")
      .on(table.runId, table.status, table.ordinal)
      .where(sql`status not in ('pending', 'running', 'completed')`),
    index("eval_iterations_conversations")
      .on(table.projectId, table.startedAt, table.id)
      .where(sql`${table.hasTrace}`),
    uniqueIndex("eval_iterations_external").on(table.runId, table.externalIterationId),
  ],
);

/** What is kept of a report beside the columns; `reported` tells it from a trace of our own. */
export interface ReportedTrace {
  reported: true;
  messages: object[];
  spans: object[];
  query?: string;
  expectedOutput?: string;
  isNegativeTest?: boolean;
  errorDetails?: unknown;
  metadata?: unknown;
  trace?: unknown;
  widgetSnapshots?: unknown;
  /** By the reporter's own names. */
  otherFields?: Record<string, unknown>;
}

/** The whole story of a repetition, read one at a time. */
export const evalIterationTraces = pgTable(
  "eval_iteration_traces",
  {
    iterationId: text("iteration_id")
      .$type<EvalIterationId>()
      .primaryKey()
      .references(() => evalIterations.id, { onDelete: "cascade" }),
    /** JSON as text: what a server or a model said may hold what `jsonb` cannot. */
    trace: json("trace").$type<Trace | ReportedTrace>().notNull(),
    grade: json("grade").$type<IterationGrade>(),
    bytes: integer("bytes").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [index("eval_iteration_traces_created").on(table.createdAt)],
);

export const evalGateWaivers = pgTable(
  "eval_gate_waivers",
  {
    id: text("id").$type<GateWaiverId>().primaryKey(),
    ...inProject(),
    runId: text("run_id")
      .$type<EvalRunId>()
      .notNull()
      .references(() => evalRuns.id, { onDelete: "cascade" }),
    reason: text("reason").notNull(),
    expiresAt: instant("expires_at").notNull(),
    policySnapshot: jsonb("policy_snapshot").$type<{ minimumPassRate: number }>(),
    createdBy: author("created_by"),
    createdAt: instant("created_at").notNull(),
    revokedAt: instant("revoked_at"),
    revokedBy: author("revoked_by"),
  },
  (table) => [index("eval_gate_waivers_run").on(table.runId, table.createdAt)],
);

/** It may still have ended by its time. */
export const unrevokedWaiver = isNull(evalGateWaivers.revokedAt);
