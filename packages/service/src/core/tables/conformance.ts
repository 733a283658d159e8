/** @module Conformance runs, made here or reported, and the report of each suite. */
import type { Score } from "@fettle/checks";
import type { ConformanceRunId, JobId, ServerId } from "@fettle/contract/core";
import {
  type ConformanceSuite,
  type ConformanceTarget,
  conformanceOutcomes,
  conformanceSources,
  conformanceStatuses,
  conformanceSuites,
} from "@fettle/contract/servers";
import { sql } from "drizzle-orm";
import { index, integer, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { jsonb } from "../db/json-columns.ts";
import { author } from "./accounts.ts";
import { instant } from "./instant.ts";
import { ofProject } from "./projects.ts";
import { scheduleColumns } from "./schedule.ts";
import { servers } from "./servers.ts";

/** Checks decided, of those there are. */
export interface RunProgress {
  suiteKind: ConformanceSuite;
  done: number;
  total: number;
}

/** How the checks came out: kept beside each report and each run. */
export interface Tally extends Score {
  /** Ids of checks that could not run, for the reason of an incomplete run. */
  couldNotRunIds: string[];
}

export const conformanceRuns = pgTable(
  "conformance_runs",
  {
    id: text("id").$type<ConformanceRunId>().primaryKey(),
    projectId: ofProject(),
    serverId: text("server_id")
      .$type<ServerId>()
      .references(() => servers.id, { onDelete: "set null" }),
    target: jsonb("target").$type<Omit<ConformanceTarget, "serverId">>().notNull(),
    source: text("source", { enum: conformanceSources }).notNull(),
    verification: text("verification", { enum: ["hosted", "reported"] }).notNull(),
    status: text("status", { enum: conformanceStatuses }).notNull(),
    requestedSuites: text("requested_suites", { enum: conformanceSuites }).array().notNull(),
    /** What was asked for, or said at the start. */
    protocolVersion: text("protocol_version"),
    engineVersion: text("engine_version"),
    /** What a run made here may execute; JSON as text, since arguments may hold what a JSON column cannot. */
    fixtures: text("fixtures"),
    actorLabel: text("actor_label"),
    ci: jsonb("ci").$type<Record<string, unknown>>(),
    /** The reporter's own name for the run. */
    externalRunId: text("external_run_id"),
    /** What the run was started with, so that the same name for something else is noticed. */
    startHash: text("start_hash").notNull(),
    idempotencyKey: text("idempotency_key"),
    /** Of a run made here. */
    jobId: text("job_id").$type<JobId>(),
    /** Why a suite brought no report, or why the one it brought was refused, by suite. */
    faults: jsonb("faults").$type<Record<string, string>>().notNull().default({}),
    /** How far a run made here has come in the suite it is at. */
    progress: jsonb("progress").$type<RunProgress>(),
    /** Set when the run ends. */
    outcome: text("outcome", { enum: conformanceOutcomes }),
    tally: jsonb("tally").$type<Tally>(),
    durationMs: integer("duration_ms"),
    createdBy: author("created_by"),
    createdAt: instant("created_at").notNull(),
    heartbeatAt: instant("heartbeat_at").notNull(),
    completedAt: instant("completed_at"),
  },
  (table) => [
    index("conformance_runs_project").on(table.projectId, table.createdAt, table.id),
    index("conformance_runs_server").on(table.serverId, table.createdAt, table.id),
    index("conformance_runs_open").on(table.heartbeatAt).where(sql`status in ('queued', 'running')`),
    uniqueIndex("conformance_runs_external").on(table.projectId, table.externalRunId),
    uniqueIndex("conformance_runs_idempotency").on(table.projectId, table.serverId, table.idempotencyKey),
  ],
);

/** When a saved server is checked by itself. */
export const conformanceSchedules = pgTable(
  "conformance_schedules",
  {
    serverId: text("server_id")
      .$type<ServerId>()
      .primaryKey()
      .references(() => servers.id, { onDelete: "cascade" }),
    /** Null: all that the service runs. */
    suites: text("suites", { enum: conformanceSuites }).array(),
    ...scheduleColumns(),
    lastRunId: text("last_run_id").$type<ConformanceRunId>(),
  },
  (table) => [index("conformance_schedules_due").on(table.nextRunAt).where(sql`${table.enabled}`)],
);

export const conformanceReports = pgTable(
  "conformance_reports",
  {
    runId: text("run_id")
      .$type<ConformanceRunId>()
      .notNull()
      .references(() => conformanceRuns.id, { onDelete: "cascade" }),
    suiteKind: text("suite_kind", { enum: conformanceSuites }).notNull(),
    /** JSON as text: evidence from a server may hold what a JSON column cannot. */
    report: text("report").notNull(),
    /** Of the report as it was sent. */
    contentHash: text("content_hash").notNull(),
    tally: jsonb("tally").$type<Tally>().notNull(),
    profileId: text("profile_id"),
    profileVersion: text("profile_version"),
    durationMs: integer("duration_ms").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.suiteKind] })],
);
