/** @module Durable jobs as the rest of the service uses them: enqueue, cancel, schedule, look; and work, in processes that do. */

import type { JobId } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import type { Secret } from "@fettle/contract/secrets";
import { desc, eq, sql } from "drizzle-orm";
import type { App } from "../app.ts";
import type { Listener } from "../db/listener.ts";
import { type Database, openPool, type Querier, type Transaction } from "../db/pool.ts";
import { newId } from "../id.ts";
import { type JobState, jobs as jobsTable } from "../tables/jobs.ts";
import { createTurns } from "../turns.ts";
import type { JobDefinition } from "./define.ts";
import { removeSchedule, saveSchedule } from "./schedule.ts";
import { cancelJob, findActive, insertJobs, unparkJob } from "./store.ts";
import { startTicking } from "./ticker.ts";
import { type Here, startWorker, type Worker, type WorkerOptions } from "./worker.ts";

export interface EnqueueOptions {
  /** At most one job of its kind with this key waits or runs; another is not made. */
  singletonKey?: string;
  /** Epoch milliseconds before which it does not start. */
  startAfter?: number;
  /** The job exists if and only if this transaction commits. */
  inTransaction?: Transaction;
}

export interface Enqueued {
  id: JobId;
  /** False when the singleton key found a job that is already there; `id` is that one's. */
  isNew: boolean;
}

export type JobRow = typeof jobsTable.$inferSelect;

export interface Jobs {
  enqueue<Input>(definition: JobDefinition<Input>, input: Input, options?: EnqueueOptions): Promise<Enqueued>;
  /** Many of a kind in one statement; all or none. */
  enqueueAll<Input>(
    definition: JobDefinition<Input>,
    inputs: Input[],
    options?: Omit<EnqueueOptions, "singletonKey">,
  ): Promise<JobId[]>;
  /** A waiting job is cancelled at once; a running one is told, and is `cancelled` when it has let go. */
  cancel(id: JobId): Promise<JobState | undefined>;
  get(id: JobId): Promise<JobRow | undefined>;
  /** The jobs that failed too often, newest first, each with its reason. */
  listParked(limit?: number): Promise<JobRow[]>;
  /** Tries a parked job again from the beginning. */
  unpark(id: JobId): Promise<boolean>;
  countByState(): Promise<Record<JobState, number>>;
  schedule<Input>(schedule: {
    key: string;
    definition: JobDefinition<Input>;
    input: Input;
    cron: string;
    timezone?: string;
    inTransaction?: Transaction;
  }): Promise<void>;
  unschedule(key: string, inTransaction?: Transaction): Promise<void>;
  /** Starts running jobs in this process. */
  work(app: App, options?: Partial<WorkerOptions>): Promise<Worker>;
}

declare module "../app.ts" {
  interface App {
    jobs: Jobs;
  }
}

/**
 * Taking up, ends and leases have connections of their own, so that a lease is not lost while jobs or requests use up the
 * service's. Each statement there is about a few rows that an index leads to, but how many jobs wait or run changes
 * faster than PostgreSQL counts them: left to choose, it sorts the whole backlog for each taking up.
 */
const ledgerConnections = {
  connections: 3,
  settings: {
    enable_seqscan: "off",
    enable_bitmapscan: "off",
    enable_sort: "off",
    enable_hashjoin: "off",
    enable_mergejoin: "off",
    plan_cache_mode: "force_generic_plan",
  },
};

const defaults: WorkerOptions = { concurrency: 8, leaseMs: 30_000, drainMs: 10_000 };

export function createJobs(options: {
  db: Database;
  /** Of the same database: what a worker writes down about its jobs goes over connections of its own. */
  url: Secret;
  listener: Listener;
  /** Every kind of job there is, or how to load them: only a process that works has to know. */
  definitions: readonly JobDefinition[] | (() => Promise<readonly JobDefinition[]>);
  now: () => number;
}): Jobs {
  const { db, url, listener, now } = options;

  const prepare = (definition: JobDefinition, input: unknown, startAfter = 0, singletonKey?: string) => ({
    id: newId("job"),
    name: definition.name,
    input,
    singletonKey: singletonKey ?? null,
    delayMs: Math.max(0, startAfter - now()),
    attempts: definition.retry.attempts,
    retryDelayMs: definition.retry.delayMs,
  });

  async function enqueueOne(
    querier: Querier,
    definition: JobDefinition,
    input: unknown,
    { startAfter, singletonKey }: Pick<EnqueueOptions, "startAfter" | "singletonKey">,
  ): Promise<Enqueued> {
    for (;;) {
      const [id] = await insertJobs(querier, [prepare(definition, input, startAfter, singletonKey)]);
      if (id !== undefined) return { id, isNew: true };
      const active = await findActive(
        querier,
        definition.name,
        must(singletonKey, "the key that was in the way"),
      );
      if (active !== undefined) return { id: active, isNew: false };
      // It ended between the two statements, so there is room for a new one.
    }
  }

  return {
    enqueue: (definition, input, { inTransaction, ...rest } = {}) =>
      enqueueOne(inTransaction ?? db, definition, input, rest),
    enqueueAll: async (definition, inputs, { startAfter, inTransaction } = {}) => {
      const prepared = inputs.map((input) => prepare(definition, input, startAfter));
      if (prepared.length > 0) await insertJobs(inTransaction ?? db, prepared);
      return prepared.map(({ id }) => id);
    },
    cancel: (id) => cancelJob(db, id),
    get: async (id) => (await db.select().from(jobsTable).where(eq(jobsTable.id, id)))[0],
    listParked: (limit = 100) =>
      db
        .select()
        .from(jobsTable)
        .where(eq(jobsTable.state, "parked"))
        .orderBy(desc(jobsTable.finishedAt))
        .limit(limit),
    unpark: (id) => unparkJob(db, id),
    countByState: async () => {
      const counts = { waiting: 0, running: 0, done: 0, parked: 0, cancelled: 0 };
      const rows = await db
        .select({ state: jobsTable.state, count: sql<number>`count(*)::int` })
        .from(jobsTable)
        .groupBy(jobsTable.state);
      for (const { state, count } of rows) counts[state] = count;
      return counts;
    },
    schedule: ({ key, definition, input, cron, timezone = "UTC", inTransaction }) =>
      saveSchedule(inTransaction ?? db, { key, name: definition.name, input, cron, timezone }),
    unschedule: (key, inTransaction) => removeSchedule(inTransaction ?? db, key),
    work: async (app, workerOptions) => {
      const { definitions: known } = options;
      const definitions = typeof known === "function" ? await known() : known;
      const ledger = openPool({ url, log: app.log, ...ledgerConnections });
      const wanted = { ...defaults, ...workerOptions };
      const long = definitions.filter(({ takesLong }) => takesLong);
      // Apart, so that a few that take half an hour keep nobody's short one waiting.
      const lanes = [
        { kinds: definitions.filter((one) => !long.includes(one)), concurrency: wanted.concurrency },
        { kinds: long, concurrency: Math.ceil(wanted.concurrency / 2) },
      ].filter(({ kinds }) => kinds.length > 0);
      const here: Here = { running: new Set(), inTurn: createTurns() };
      const workers = lanes.map(({ kinds, concurrency }) =>
        startWorker(app, ledger.db, listener, kinds, { ...wanted, concurrency }, here),
      );
      const ticker = await startTicking(app, definitions, (querier, schedule, definition) =>
        // A tick that finds the last one's job unfinished adds nothing.
        enqueueOne(querier, definition, schedule.input, { singletonKey: `schedule ${schedule.key}` }),
      );
      let stopped: Promise<void> | undefined;
      const stop = async () => {
        await ticker.stop();
        await Promise.all(workers.map((worker) => worker.stop()));
        await ledger.close();
      };
      return {
        stop: () => {
          stopped ??= stop();
          return stopped;
        },
      };
    },
  };
}
