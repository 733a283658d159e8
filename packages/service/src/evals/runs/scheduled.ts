/** @module Suites that run by themselves. */

import type { EvalSuiteId } from "@fettle/contract/core";
import { digestOf } from "@fettle/evals";
import { eq } from "drizzle-orm";
import { z } from "zod";
import type { App } from "../../core/app.ts";
import type { Querier } from "../../core/db/pool.ts";
import { defineJob } from "../../core/jobs/define.ts";
import { missing } from "../../core/routing/not-found.ts";
import { evalSchedules, evalSuites } from "../../core/tables/eval-suites.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { type Due, launchDue, launcherOf } from "../../runs/schedules/launch-due.ts";
import { createRun } from "./create-run.ts";

export const launchScheduledJob = defineJob({
  name: "evals.launch-scheduled",
  input: z.object({}),
  retry: { attempts: 3, delayMs: 1_000 },
  timeoutMs: 60_000,
  schedule: { cron: "* * * * *", input: {} },
  run: ({ app }) => launchScheduled(app),
});

export function launchScheduled(app: App): Promise<void> {
  return launchDue<EvalSuiteId>(app, {
    table: evalSchedules,
    owner: "suite_id",
    launch,
    announce: async (_, tx, suiteId) => {
      const found = await findScheduled(tx, suiteId);
      if (found) await announceInProject(app, tx, found.suite.projectId, "eval-suites");
    },
  });
}

async function findScheduled(db: Querier, suiteId: EvalSuiteId) {
  const [found] = await db
    .select({ suite: evalSuites, environmentId: evalSchedules.environmentId })
    .from(evalSchedules)
    .innerJoin(evalSuites, eq(evalSuites.id, evalSchedules.suiteId))
    .where(eq(evalSchedules.suiteId, suiteId));
  return found;
}

async function launch(app: App, { ownerId, setBy, window }: Due<EvalSuiteId>): Promise<string> {
  const found = await findScheduled(app.db, ownerId);
  if (!found) throw missing("The suite is gone.", "Choose another suite, or turn this off.");
  const { suite, environmentId } = found;
  const { userId, project } = await launcherOf(app, setBy, suite.projectId);
  const by = { userId, surface: "schedule", apiKeyId: null };
  const launcher = { app, project, by, source: "schedule" as const };
  const idempotencyScope = digestOf(["evalSchedule", suite.id, window.getTime()]);
  const body = { suiteId: suite.id, ...(environmentId !== null && { environmentId }) };
  const made = await createRun(launcher, { ...suite, createdByName: null }, body, { idempotencyScope }, "");
  return made.runId;
}
