/** @module Forgets jobs that ended long ago. */
import { z } from "zod";
import { defineJob } from "./define.ts";
import { pruneFinished } from "./store.ts";

const dayMs = 86_400_000;

export const pruneJobs = defineJob({
  name: "jobs.prune",
  input: z.object({}),
  retry: { attempts: 3, delayMs: 10_000 },
  timeoutMs: 60_000,
  schedule: { cron: "17 * * * *", input: {} },
  run: ({ app }) => pruneFinished(app.db, { keepMs: 7 * dayMs, keepParkedMs: 90 * dayMs }),
});
