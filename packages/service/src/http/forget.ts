/** @module Keeps what limits and idempotency remember from growing without end. */
import { z } from "zod";
import { forgetOldAnswers } from "../core/idempotency/idempotency.ts";
import { defineJob } from "../core/jobs/define.ts";
import { forgetIdleBuckets } from "../core/limits/limits.ts";

export const forgetJob = defineJob({
  name: "http.forget",
  input: z.object({}),
  retry: { attempts: 3, delayMs: 10_000 },
  timeoutMs: 60_000,
  schedule: { cron: "*/15 * * * *", input: {} },
  run: async ({ app }) => {
    await forgetIdleBuckets(app.pool);
    await forgetOldAnswers(app.db, app.now());
  },
});
