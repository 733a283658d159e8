/** @module Runs of journeys: what each was launched with, its sessions and what was said in them, and what the servers offered. */
import type { ClientId, EnvironmentId, JobId, JourneyId, JourneyRunId } from "@fettle/contract/core";
import {
  attemptStates,
  type GoalGrade,
  journeyEnds,
  journeyRunStatuses,
  personaDrivers,
  type SessionGrading,
} from "@fettle/contract/visitors";
import type { ModelAnswer, Trace } from "@fettle/evals";
import type { JsonObject, McpError } from "@fettle/mcp";
import { sql } from "drizzle-orm";
import {
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
import { jsonb, searchedJson } from "../db/json-columns.ts";
import { author } from "./accounts.ts";
import { instant } from "./instant.ts";
import { ofProject } from "./projects.ts";
import { journeys } from "./swarms.ts";

export const journeyRuns = pgTable(
  "journey_runs",
  {
    id: text("id").$type<JourneyRunId>().primaryKey(),
    projectId: ofProject(),
    journeyId: text("journey_id")
      .$type<JourneyId>()
      .notNull()
      .references(() => journeys.id),
    journeyName: text("journey_name").notNull(),
    persona: jsonb("persona").$type<{ id: string; name: string; role: string }>().notNull(),
    /** The caller's label, or ours; what runs of one wave share. */
    waveId: text("wave_id").notNull(),
    status: text("status", { enum: journeyRunStatuses }).notNull(),
    error: text("error"),
    canceled: boolean("canceled").notNull().default(false),
    stale: boolean("stale").notNull().default(false),
    sessionsTotal: integer("sessions_total").notNull(),
    hasRubric: boolean("has_rubric").notNull(),
    hasJudge: boolean("has_judge").notNull(),
    personaDriver: text("persona_driver", { enum: personaDrivers }).notNull(),
    /** Of the caller, the journey and the key; null without a key. */
    idempotencyScope: text("idempotency_scope"),
    requestHash: text("request_hash").notNull(),
    jobId: text("job_id").$type<JobId>(),
    createdBy: author("created_by"),
    createdAt: instant("created_at").notNull(),
    startedAt: instant("started_at"),
    /** When whoever plays it last said that it lives. */
    heartbeatAt: instant("heartbeat_at"),
    completedAt: instant("completed_at"),
    /** What became of its sessions, counted once nothing of it can change: `journey-runs/tally.ts` has its shape. */
    tally: json("tally"),
  },
  (table) => [
    index("journey_runs_journey").on(table.journeyId, table.createdAt, table.id),
    index("journey_runs_project").on(table.projectId, table.createdAt, table.id),
    index("journey_runs_wave").on(table.projectId, table.waveId),
    index("journey_runs_open").on(table.heartbeatAt).where(sql`status = 'running'`),
    index("journey_runs_uncounted").on(table.createdAt).where(sql`tally is null`),
    uniqueIndex("journey_runs_idempotency").on(table.idempotencyScope),
  ],
);

const ofRun = () =>
  text("run_id")
    .$type<JourneyRunId>()
    .notNull()
    .references(() => journeyRuns.id, { onDelete: "cascade" });

/** Whole, as JSON text: later edits of the journey, its persona or its places do not reach it. */
export const journeyRunSnapshots = pgTable("journey_run_snapshots", {
  runId: ofRun().primaryKey(),
  snapshot: searchedJson("snapshot").notNull(),
});

/** One for each target and content; both where a server changed under way. */
export const journeyRunTools = pgTable(
  "journey_run_tools",
  {
    runId: ofRun(),
    targetIndex: integer("target_index").notNull(),
    serverId: text("server_id").notNull(),
    serverName: text("server_name").notNull(),
    hash: text("hash").notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.targetIndex, table.serverId] })],
);

/** A synthetic visitor's session, from its place in the queue to its grades. */
export const journeyAttempts = pgTable(
  "journey_attempts",
  {
    /** `synth_<run>_env_<environment>_<index>`, or `synth_<run>_<client>_<index>`. */
    id: text("id").primaryKey(),
    /** No reference: `deleted-runs.ts` says why. */
    runId: text("run_id").$type<JourneyRunId>().notNull(),
    ordinal: integer("ordinal").notNull(),
    targetIndex: integer("target_index").notNull(),
    targetId: text("target_id").$type<EnvironmentId | ClientId>().notNull(),
    targetName: text("target_name").notNull(),
    index: integer("index").notNull(),
    state: text("state", { enum: attemptStates }).notNull(),
    error: text("error"),
    end: text("ended_by", { enum: journeyEnds }),
    turns: integer("turns"),
    toolCalls: integer("tool_calls"),
    toolErrors: integer("tool_errors"),
    totalTokens: integer("total_tokens"),
    costUsd: doublePrecision("cost_usd"),
    startedAt: instant("started_at"),
    endedAt: instant("ended_at"),
    /** Processes that died under it since it last got further. */
    losses: integer("losses").notNull().default(0),
    /** Null: nobody grades it. Written pending with the end, so that a grader that dies is seen. */
    grading: searchedJson("grading").$type<SessionGrading>(),
    goal: searchedJson("goal").$type<GoalGrade>(),
  },
  (table) => [
    uniqueIndex("journey_attempts_order").on(table.runId, table.ordinal),
    index("journey_attempts_unsettled")
      .on(table.runId, table.ordinal)
      .where(sql`state in ('pending', 'running')`),
  ],
);

/** What was said, read one at a time. */
export const journeyAttemptTraces = pgTable("journey_attempt_traces", {
  attemptId: text("attempt_id")
    .primaryKey()
    .references(() => journeyAttempts.id, { onDelete: "cascade" }),
  trace: json("trace").$type<Trace>().notNull(),
  farewell: text("farewell"),
});

/** What models and tools have said to a session so far, or a model to its judge: gone once that is over. */
export const journeyAttemptSteps = pgTable(
  "journey_attempt_steps",
  {
    attemptId: text("attempt_id")
      .notNull()
      .references(() => journeyAttempts.id, { onDelete: "cascade" }),
    part: text("part", { enum: ["session", "judge"] }).notNull(),
    /** Which answer of the model it is, from 0, or comes after. */
    answer: integer("answer").notNull(),
    /** Empty: the answer itself. Else which tool call that the answer asked for. */
    call: text("call").notNull(),
    step: json("step").$type<KeptStep>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.attemptId, table.part, table.answer, table.call] })],
);

/** What came back, and after how long. */
export type KeptStep = { ms: number } & (
  | { kind: "answer"; answer: ModelAnswer }
  | { kind: "result"; result: JsonObject }
  | { kind: "failure"; failure: Pick<McpError, "code" | "message" | "details"> & { hint?: string } }
);
