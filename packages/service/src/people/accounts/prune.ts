/** @module Forgets credentials that have lapsed. They open nothing; this only keeps the tables small. */
import { z } from "zod";
import type { App } from "../../core/app.ts";
import { defineJob } from "../../core/jobs/define.ts";
import { deleteLapsedLogins } from "./cli-login/store.ts";
import { deleteLapsedGuests } from "./keys/store.ts";
import { deleteLapsedStates } from "./oidc/store.ts";
import { deleteLapsedSessions } from "./sign-in/store.ts";

export async function pruneAccounts(app: App): Promise<void> {
  const now = new Date(app.now());
  await deleteLapsedSessions(app.db, now);
  await deleteLapsedLogins(app.db, now);
  await deleteLapsedGuests(app.db, now);
  await deleteLapsedStates(app.db, now);
}

export const pruneAccountsJob = defineJob({
  name: "accounts.prune",
  input: z.object({}),
  retry: { attempts: 3, delayMs: 10_000 },
  timeoutMs: 60_000,
  schedule: { cron: "41 * * * *", input: {} },
  run: ({ app }) => pruneAccounts(app),
});
