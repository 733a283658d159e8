/** @module Keeps the rings of recent events short. */
import { z } from "zod";
import { defineJob } from "../jobs/define.ts";
import { pruneEvents } from "./store.ts";

export const pruneEventsJob = defineJob({
  name: "events.prune",
  input: z.object({}),
  retry: { attempts: 3, delayMs: 5_000 },
  timeoutMs: 60_000,
  schedule: { cron: "* * * * *", input: {} },
  run: ({ app }) => pruneEvents(app.db),
});
