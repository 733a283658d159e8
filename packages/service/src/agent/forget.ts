/** @module Keeps what the agent leaves behind from growing without end. */
import { limits } from "@fettle/contract/core";
import { z } from "zod";
import { defineJob } from "../core/jobs/define.ts";
import * as store from "./store.ts";

export const forgetAgentJob = defineJob({
  name: "agent.forget",
  input: z.object({}),
  retry: { attempts: 3, delayMs: 10_000 },
  timeoutMs: 60_000,
  schedule: { cron: "25 * * * *", input: {} },
  run: async ({ app }) => {
    await store.forgetTurns(app.db, new Date(app.now() - limits.idempotency.rememberMs));
    await store.forgetActions(app.db, new Date(app.now() - limits.agent.proposalsKeptMs));
  },
});
