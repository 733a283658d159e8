/** @module Suites with what is attached to them and when they run by themselves, their cases, and drafts already paid for. */
import type {
  ClientId,
  EnvironmentId,
  EvalCaseId,
  EvalRunId,
  EvalSuiteId,
  Id,
  ServerId,
} from "@fettle/contract/core";
import {
  type EvalAdvancedConfig,
  type EvalCase,
  type EvalModelChoice,
  type EvalSuiteSettings,
  suiteOrigins,
} from "@fettle/contract/evals";
import type { DraftedCases } from "@fettle/evals";
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
import { jsonb } from "../db/json-columns.ts";
import { author } from "./accounts.ts";
import { clients } from "./clients.ts";
import { environments } from "./environments.ts";
import { instant } from "./instant.ts";
import { ofProject } from "./projects.ts";
import { scheduleColumns } from "./schedule.ts";

export const evalSuites = pgTable(
  "eval_suites",
  {
    id: text("id").$type<EvalSuiteId>().primaryKey(),
    projectId: ofProject(),
    name: text("name").notNull(),
    description: text("description"),
    origin: text("origin", { enum: suiteOrigins }).notNull(),
    /** The id in the file that owns it. */
    declaredId: text("declared_id"),
    sourceHash: text("source_hash"),
    provenance: jsonb("provenance").$type<Record<string, string>>(),
    tags: text("tags").array().notNull().default([]),
    /** The saved selection; a server that is deleted stays here, and a launch says that it is gone. */
    serverIds: text("server_ids").array().$type<ServerId[]>().notNull().default([]),
    sandboxImageId: text("sandbox_image_id").$type<Id<"sandboxImage">>(),
    model: text("model"),
    provider: text("provider"),
    systemPrompt: text("system_prompt"),
    temperature: doublePrecision("temperature"),
    /** JSON as it was written: a predicate may hold what `jsonb` cannot. */
    settings: json("settings").$type<EvalSuiteSettings>().notNull(),
    /** The number that the next run gets. */
    nextRunNumber: integer("next_run_number").notNull().default(1),
    createdBy: author("created_by"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    index("eval_suites_listed").on(table.projectId, table.updatedAt, table.id),
    uniqueIndex("eval_suites_declared").on(table.projectId, table.declaredId),
  ],
);

/**
 * What a list tells of a suite, kept by triggers of the database in the transaction of whatever changes it, so that processes of an
 * earlier version keep it too. Runs of a part of the cases say nothing of the suite, and are in no column.
 */
export const evalSuiteTallies = pgTable("eval_suite_tallies", {
  suiteId: text("suite_id")
    .$type<EvalSuiteId>()
    .primaryKey()
    .references(() => evalSuites.id, { onDelete: "cascade" }),
  cases: integer("cases").notNull().default(0),
  runs: integer("runs").notNull().default(0),
  passed: integer("passed").notNull().default(0),
  failed: integer("failed").notNull().default(0),
  latestRunId: text("latest_run_id").$type<EvalRunId>(),
  latestRunAt: instant("latest_run_at"),
  /** Pass rates of the latest finished runs, the oldest first; as many as `limits.evals.trendRuns`. */
  trend: doublePrecision("trend").array().notNull().default([]),
});

/** Environments are archived and not deleted, so what is attached stays attached. */
export const evalSuiteEnvironments = pgTable(
  "eval_suite_environments",
  {
    suiteId: text("suite_id")
      .$type<EvalSuiteId>()
      .notNull()
      .references(() => evalSuites.id, { onDelete: "cascade" }),
    environmentId: text("environment_id")
      .$type<EnvironmentId>()
      .notNull()
      .references(() => environments.id, { onDelete: "cascade" }),
    position: integer("position").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.suiteId, table.environmentId] }),
    index("eval_suite_environments_environment").on(table.environmentId),
  ],
);

export const evalSuiteHosts = pgTable(
  "eval_suite_hosts",
  {
    suiteId: text("suite_id")
      .$type<EvalSuiteId>()
      .notNull()
      .references(() => evalSuites.id, { onDelete: "cascade" }),
    clientId: text("client_id")
      .$type<ClientId>()
      .notNull()
      .references(() => clients.id, { onDelete: "cascade" }),
    position: integer("position").notNull(),
    /** Null: the client's own; an empty list is none. */
    serverIds: text("server_ids").array().$type<ServerId[]>(),
  },
  (table) => [
    primaryKey({ columns: [table.suiteId, table.clientId] }),
    index("eval_suite_hosts_client").on(table.clientId),
  ],
);

/** One for each suite that ever had one: disabling keeps the interval and the environment. */
export const evalSchedules = pgTable(
  "eval_schedules",
  {
    suiteId: text("suite_id")
      .$type<EvalSuiteId>()
      .primaryKey()
      .references(() => evalSuites.id, { onDelete: "cascade" }),
    environmentId: text("environment_id")
      .$type<EnvironmentId>()
      .references(() => environments.id, { onDelete: "set null" }),
    ...scheduleColumns(),
    lastRunId: text("last_run_id").$type<EvalRunId>(),
  },
  (table) => [index("eval_schedules_due").on(table.nextRunAt).where(sql`${table.enabled}`)],
);

/** What a case says, beside its title. */
export type CaseDefinition = Pick<
  EvalCase,
  | "intent"
  | "steps"
  | "expectedOutput"
  | "iterations"
  | "isNegative"
  | "expectToolError"
  | "scenario"
  | "continueOnFail"
  | "matchOptions"
  | "checks"
  | "import"
> & { models: EvalModelChoice[]; advancedConfig?: EvalAdvancedConfig };

export const evalCases = pgTable(
  "eval_cases",
  {
    id: text("id").$type<EvalCaseId>().primaryKey(),
    suiteId: text("suite_id")
      .$type<EvalSuiteId>()
      .notNull()
      .references(() => evalSuites.id, { onDelete: "cascade" }),
    /** What joins a case across runs. */
    declaredId: text("declared_id").notNull(),
    position: integer("position").notNull(),
    title: text("title").notNull(),
    disabled: boolean("disabled").notNull().default(false),
    /** JSON as it was written: an argument may hold what `jsonb` cannot. */
    definition: json("definition").$type<CaseDefinition>().notNull(),
    /** Of what is asked and expected, whatever it is called. */
    contentHash: text("content_hash").notNull(),
    /** Of the caller, the batch's key and the place in it; with what was sent, to tell a repetition from another case. */
    idempotencyScope: text("idempotency_scope"),
    requestHash: text("request_hash"),
    createdBy: author("created_by"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    uniqueIndex("eval_cases_declared").on(table.suiteId, table.declaredId),
    index("eval_cases_order").on(table.suiteId, table.position, table.id),
    index("eval_cases_content").on(table.suiteId, table.contentHash),
    uniqueIndex("eval_cases_idempotency").on(table.suiteId, table.idempotencyScope),
  ],
);

/** Drafts are kept before a case is made of them: asking again under the same key does not pay again. */
export const evalCaseDrafts = pgTable(
  "eval_case_drafts",
  {
    /** Of the caller, the suite and the key. */
    scopeHash: text("scope_hash").primaryKey(),
    suiteId: text("suite_id")
      .$type<EvalSuiteId>()
      .notNull()
      .references(() => evalSuites.id, { onDelete: "cascade" }),
    requestHash: text("request_hash").notNull(),
    generationModel: text("generation_model").notNull(),
    drafts: json("drafts").$type<DraftedCases>().notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [index("eval_case_drafts_suite").on(table.suiteId)],
);
