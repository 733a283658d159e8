/** @module Long work as rows: what is to be done, who is doing it until when, and how it ended. The states are drawn in README.md. */
import type { JobId } from "@fettle/contract/core";
import { and, eq, gt, inArray, isNull, or, sql } from "drizzle-orm";
import { index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { jsonb } from "../db/json-columns.ts";
import { instant } from "./instant.ts";

const jobStates = ["waiting", "running", "done", "parked", "cancelled"] as const;
export type JobState = (typeof jobStates)[number];

export const jobs = pgTable(
  "jobs",
  {
    id: text("id").$type<JobId>().primaryKey(),
    name: text("name").notNull(),
    input: jsonb("input").notNull(),
    state: text("state", { enum: jobStates }).notNull().default("waiting"),
    /** At most one job of this name and key is waiting or running. */
    singletonKey: text("singleton_key"),
    runAfter: instant("run_after").notNull().defaultNow(),
    /** How often it was taken up. The number of the last time is what a worker must hold to write its outcome. */
    claim: integer("claim").notNull().default(0),
    /** How often it failed or took its worker down with it; a job handed back at a stop is not counted. */
    failures: integer("failures").notNull().default(0),
    attempts: integer("attempts").notNull(),
    retryDelayMs: integer("retry_delay_ms").notNull(),
    worker: text("worker"),
    leaseUntil: instant("lease_until"),
    cancelRequestedAt: instant("cancel_requested_at"),
    /** Why it last failed, as `{name, message}`. */
    error: jsonb("error").$type<{ name: string; message: string }>(),
    createdAt: instant("created_at").notNull().defaultNow(),
    startedAt: instant("started_at"),
    finishedAt: instant("finished_at"),
  },
  (table) => [
    index("jobs_waiting").on(table.runAfter, table.id).where(sql`state = 'waiting'`),
    index("jobs_running").on(table.leaseUntil).where(sql`state = 'running'`),
    index("jobs_finished")
      .on(table.state, table.finishedAt)
      .where(sql`state in ('done', 'parked', 'cancelled')`),
    uniqueIndex("jobs_singleton")
      .on(table.name, table.singletonKey)
      .where(sql`singleton_key is not null and state in ('waiting', 'running')`),
  ],
);

/** Of a row that is joined with its job: nobody works on it any more, nor will. */
export const isJobOver = or(isNull(jobs.id), inArray(jobs.state, ["done", "parked", "cancelled"]));

/** Of a row that is joined with its job: a worker that lives has it. */
export const isJobHeld = and(eq(jobs.state, "running"), gt(jobs.leaseUntil, sql`now()`));

export const jobSchedules = pgTable(
  "job_schedules",
  {
    key: text("key").primaryKey(),
    name: text("name").notNull(),
    input: jsonb("input").notNull(),
    cron: text("cron").notNull(),
    timezone: text("timezone").notNull(),
    nextAt: instant("next_at").notNull(),
  },
  (table) => [index("job_schedules_next").on(table.nextAt)],
);
