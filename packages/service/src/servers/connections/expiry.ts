/** @module Ends requests whose hour is over, and forgets those that ended long ago. */
import type { UserId } from "@fettle/contract/core";
import { z } from "zod";
import type { App } from "../../core/app.ts";
import { defineJob } from "../../core/jobs/define.ts";
import { advance } from "./advance.ts";
import { forgetEnded, listOverdue } from "./store.ts";

const keepEndedMs = 30 * 86_400_000;

export const expireJob = defineJob({
  name: "server-connections.expire",
  input: z.object({}),
  retry: { attempts: 3, delayMs: 1_000 },
  timeoutMs: 60_000,
  schedule: { cron: "* * * * *", input: {} },
  run: async ({ app }) => {
    await expireOverdue(app);
    await forgetEnded(app.db, new Date(app.now() - keepEndedMs));
  },
});

/** Also done before an account's requests are read or counted, so that nobody waits for the minute to be over. */
export async function expireOverdue(app: App, userId?: UserId): Promise<void> {
  for (const { id } of await listOverdue(app.db, new Date(app.now()), userId)) {
    await app.db.transaction((tx) => advance(app, tx, id, "expire"));
  }
}
