/** @module Readiness runs, each with its report once it is graded. */
import type { JobId, ReadinessRunId, ServerId } from "@fettle/contract/core";
import {
  earlierReadinessWords,
  type ReadinessKind,
  type ReadinessLaneGrade,
  type ReadinessObservations,
  type ReadinessStageGrade,
  type ReadinessWord,
  readinessAuthModes,
  readinessGrades,
  readinessKindOf,
  readinessStatuses,
  runnerCapabilities,
  submissionModes,
} from "@fettle/contract/servers";
import { sql } from "drizzle-orm";
import { boolean, customType, index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { jsonb } from "../db/json-columns.ts";
import { author } from "./accounts.ts";
import { instant } from "./instant.ts";
import { ofProject } from "./projects.ts";
import { servers } from "./servers.ts";

/** Kept as it was called at first, so that processes of an earlier version read it, too. */
const publisher = customType<{ data: ReadinessKind; driverData: string }>({
  dataType: () => "text",
  toDriver: (kind) => earlierReadinessWords[kind],
  // Only we write it.
  fromDriver: (word) => readinessKindOf(word as ReadinessWord),
});

export const readinessRuns = pgTable(
  "readiness_runs",
  {
    id: text("id").$type<ReadinessRunId>().primaryKey(),
    projectId: ofProject(),
    serverId: text("server_id")
      .$type<ServerId>()
      .references(() => servers.id, { onDelete: "set null" }),
    /** Without the values of its query. */
    serverUrl: text("server_url").notNull(),
    readinessKind: publisher("readiness_kind").notNull(),
    submissionMode: text("submission_mode", { enum: submissionModes }),
    status: text("status", { enum: readinessStatuses }).notNull(),
    overallStatus: text("overall_status", { enum: readinessGrades }),
    lanes: jsonb("lanes").$type<ReadinessLaneGrade[]>().notNull().default([]),
    stages: jsonb("stages").$type<ReadinessStageGrade[]>().notNull().default([]),
    authMode: text("auth_mode", { enum: readinessAuthModes }),
    capabilities: text("capabilities", { enum: runnerCapabilities }).array().notNull().default([]),
    attemptCount: integer("attempt_count").notNull().default(0),
    terminalReason: text("terminal_reason"),
    errorMessage: text("error_message"),
    policySnapshotDate: text("policy_snapshot_date"),
    engineVersion: text("engine_version"),
    includeLlmObservations: boolean("include_llm_observations").notNull(),
    llmObservations: jsonb("llm_observations").$type<ReadinessObservations>().notNull(),
    /** JSON as text: evidence from a server may hold what a JSON column cannot. */
    report: text("report"),
    idempotencyKey: text("idempotency_key"),
    jobId: text("job_id").$type<JobId>(),
    cancelRequestedAt: instant("cancel_requested_at"),
    createdBy: author("created_by"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    index("readiness_runs_project").on(table.projectId, table.createdAt, table.id),
    index("readiness_runs_kind").on(table.projectId, table.readinessKind, table.createdAt, table.id),
    index("readiness_runs_server").on(table.serverId, table.createdAt, table.id),
    index("readiness_runs_open").on(table.createdAt).where(sql`status in ('pending', 'running')`),
    uniqueIndex("readiness_runs_idempotency").on(
      table.serverId,
      table.readinessKind,
      table.createdBy,
      table.idempotencyKey,
    ),
  ],
);
