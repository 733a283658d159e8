/** @module Ends runs that nobody will finish: their reporter has gone silent, or their job is over. */
import { limits } from "@fettle/contract";
import { z } from "zod";
import type { App } from "../app.ts";
import { defineJob } from "../jobs/define.ts";
import { closeRun } from "./close.ts";
import { listAbandoned } from "./store.ts";

export const endAbandonedJob = defineJob({
  name: "conformance.end-abandoned",
  input: z.object({}),
  retry: { attempts: 3, delayMs: 1_000 },
  timeoutMs: 60_000,
  schedule: { cron: "* * * * *", input: {} },
  run: ({ app }) => endAbandoned(app),
});

export async function endAbandoned(app: App): Promise<void> {
  const { silenceMs, refusedSilenceMs } = limits.conformance;
  const before = (ms: number) => new Date(app.now() - ms);
  for (const run of await listAbandoned(app.db, before(silenceMs), before(refusedSilenceMs))) {
    await app.db.transaction((tx) => closeRun(app, tx, run, "timed_out"));
  }
}
