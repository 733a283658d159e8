/** @module Jobs of a test's own on a database of its own, and workers for them. */

import { setTimeout as delay } from "node:timers/promises";
import type { JobId } from "@fettle/contract/core";
import { expect, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { openListener } from "../core/db/listener.ts";
import { defineJob, type JobCall, type JobDefinition } from "../core/jobs/define.ts";
import { createJobs, type Jobs } from "../core/jobs/jobs.ts";
import type { WorkerOptions } from "../core/jobs/worker.ts";
import { type TestApp, testApp } from "./app.ts";
import { type TestDatabase, testDatabase } from "./database.ts";
import { silentLog } from "./silent-log.ts";

export interface JobBench {
  app: TestApp;
  jobs: Jobs;
  database: TestDatabase;
  /** Starts a worker as a process of its own would have it. */
  work(options?: Partial<WorkerOptions>): Promise<{ stop(): Promise<void> }>;
  ended(id: JobId, state: string): Promise<void>;
}

/** A database with an app, and workers that stop when the test has ended. */
export async function jobBench(definitions: JobDefinition[]): Promise<JobBench> {
  const database = await testDatabase();
  const app = await testApp({ database });
  const listener = openListener({ url: database.url, log: silentLog });
  const jobs = createJobs({ db: app.db, url: database.url, listener, definitions, now: Date.now });
  const workers: { stop(): Promise<void> }[] = [];
  onTestFinished(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await listener.close();
    await app.stop();
    await database.close();
  });
  return {
    app,
    jobs,
    database,
    work: async (options) => {
      const worker = await jobs.work(app, { leaseMs: 1_200, drainMs: 500, ...options });
      workers.push(worker);
      return worker;
    },
    ended: (id, state) =>
      vi.waitFor(async () => expect((await jobs.get(id))?.state).toBe(state), {
        timeout: 60_000,
        interval: 20,
      }),
  };
}

/** A kind of job that does what the test says. */
export function job(run: (call: JobCall<{ n?: number | undefined }>) => Promise<void>, attempts = 3) {
  return defineJob({
    name: "test.job",
    input: z.object({ n: z.number().optional() }),
    retry: { attempts, delayMs: 10 },
    timeoutMs: 30_000,
    run,
  });
}

/** Waits until its signal is aborted, as a job that does things with a signal would. */
export const untilAborted = (signal: AbortSignal) => delay(60_000, undefined, { signal });
