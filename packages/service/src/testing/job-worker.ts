/**
 * @module A worker process for tests to kill. Its jobs write one row per effect, so that a doubled one shows; some die
 * with their process.
 */

import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { Secret } from "@fettle/contract/secrets";
import { sql } from "drizzle-orm";
import { z } from "zod";
import type { App } from "../core/app.ts";
import { openListener } from "../core/db/listener.ts";
import { openPool } from "../core/db/pool.ts";
import { defineJob } from "../core/jobs/define.ts";
import { createJobs } from "../core/jobs/jobs.ts";
import { createLog } from "../core/log/log.ts";

/** Takes a while, then has its effect and its end in one. */
export const effectJob = defineJob({
  name: "test.effect",
  input: z.object({ n: z.number(), workMs: z.number() }),
  retry: { attempts: 10, delayMs: 20 },
  timeoutMs: 60_000,
  run: async ({ input, id, claim, signal, finish }) => {
    await delay(input.workMs, undefined, { signal });
    await finish(async (tx) => {
      await tx.execute(sql`insert into effects (n, job_id, claim) values (${input.n}, ${id}, ${claim})`);
    });
  },
});

/** Kills the process that runs it. */
export const poisonJob = defineJob({
  name: "test.poison",
  input: z.object({}),
  retry: { attempts: 3, delayMs: 20 },
  timeoutMs: 60_000,
  run: async () => {
    process.kill(process.pid, "SIGKILL");
  },
});

/** As if stuck: until the file is there, it runs on without its event loop, so that it cannot keep its lease, and then tries to have its effect. */
export const stuckJob = defineJob({
  name: "test.stuck",
  input: z.object({ n: z.number(), until: z.string() }),
  retry: { attempts: 10, delayMs: 20 },
  timeoutMs: 60_000,
  run: async ({ input, id, claim, finish }) => {
    if (claim === 1) {
      process.stdout.write(`stuck ${id}\n`);
      const cell = new Int32Array(new SharedArrayBuffer(4));
      while (!existsSync(input.until)) Atomics.wait(cell, 0, 0, 50);
    }
    await finish(async (tx) => {
      await tx.execute(sql`insert into effects (n, job_id, claim) values (${input.n}, ${id}, ${claim})`);
    });
  },
});

/** Does what its maker says, for the bench. */
export const taskJob = (run: (input: { n: number; workMs: number }) => Promise<void>) =>
  defineJob({
    name: "test.task",
    input: z.object({ n: z.number(), workMs: z.number() }),
    retry: { attempts: 3, delayMs: 1_000 },
    timeoutMs: 60_000,
    run: ({ input }) => run(input),
  });

export const testJobs = [effectJob, poisonJob, stuckJob];

if (import.meta.main) {
  const [, , url = "", leaseMs = "30000"] = process.argv;
  const log = createLog({ level: "info", format: "json" });
  const { db } = openPool({ url: new Secret(url), connections: 6, log });
  const listener = openListener({ url: new Secret(url), log });
  const jobs = createJobs({ db, url: new Secret(url), listener, definitions: testJobs, now: Date.now });
  // Jobs here use nothing else of an app.
  const app = { db, log, jobs, now: Date.now } as App;
  const worker = await jobs.work(app, { concurrency: 4, leaseMs: Number(leaseMs), drainMs: 5_000 });
  process.stdout.write("ready\n");
  process.once("SIGTERM", () => worker.stop().then(() => process.exit(0)));
}
