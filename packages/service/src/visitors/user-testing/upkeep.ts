/** @module What ends or is forgotten by itself: sessions that nobody uses, and what visitors said long ago. */
import { limits } from "@fettle/contract/core";
import { z } from "zod";
import type { App } from "../../core/app.ts";
import { defineJob } from "../../core/jobs/define.ts";
import { forgetQuotesBefore } from "../../insights/forget-quotes.ts";
import { deleteWindowsBefore } from "./insights/window-store.ts";
import { endSession } from "./narrow-access.ts";
import * as sessions from "./session-store.ts";
import { deleteForgotten } from "./store.ts";

const { userTesting } = limits;
const dayMs = 24 * 60 * 60 * 1000;
const atOnce = 500;

/** Lists and pages know by the clock already; this tells whoever waits for the end. */
export async function endIdleSessions(app: App): Promise<void> {
  const before = new Date(app.now() - userTesting.idleMs);
  for (;;) {
    const idle = await sessions.listIdle(app.db, before, atOnce);
    for (const { id, scenarioId, projectId } of idle) {
      await app.db.transaction((tx) => endSession(app, tx, { id: scenarioId, projectId }, id, "idle"));
    }
    if (idle.length < atOnce) return;
  }
}

/** How many sessions there were stays known. */
export async function forgetOldSessions(app: App): Promise<void> {
  const before = new Date(app.now() - userTesting.retentionDays * dayMs);
  while ((await sessions.deleteBefore(app.db, before, atOnce)) === atOnce);
  await sessions.deleteVisitorsBefore(app.db, before);
  await deleteForgotten(app.db, before);
  await deleteWindowsBefore(app.db, before);
  // What a window quotes is up to its whole length older than the window.
  await forgetQuotesBefore(app.db, new Date(before.getTime() + userTesting.windowMs));
}

export const endIdleSessionsJob = defineJob({
  name: "user-testing.end-idle",
  input: z.object({}),
  retry: { attempts: 3, delayMs: 10_000 },
  timeoutMs: 60_000,
  schedule: { cron: "* * * * *", input: {} },
  run: ({ app }) => endIdleSessions(app),
});

export const forgetOldSessionsJob = defineJob({
  name: "user-testing.forget",
  input: z.object({}),
  retry: { attempts: 3, delayMs: 60_000 },
  timeoutMs: 10 * 60_000,
  schedule: { cron: "41 3 * * *", input: {} },
  run: ({ app }) => forgetOldSessions(app),
});
