/** @module Suites that run by themselves: one run for each window, launched as whoever set the schedule. A window that was missed is gone. */
import { ApiError, type EvalRunId } from "@fettle/contract";
import { digestOf } from "@fettle/evals";
import { and, eq, lte, sql } from "drizzle-orm";
import { z } from "zod";
import { announceInProject } from "../accounts/announce.ts";
import type { App } from "../app.ts";
import { findProject } from "../http/access.ts";
import { defineJob } from "../jobs/define.ts";
import { evalSchedules, evalSuites } from "../tables/eval-suites.ts";
import { createRun } from "./create-run.ts";
import type { SuiteRow } from "./frozen.ts";

type ScheduleRow = typeof evalSchedules.$inferSelect;

export const launchScheduledJob = defineJob({
  name: "evals.launch-scheduled",
  input: z.object({}),
  retry: { attempts: 3, delayMs: 1_000 },
  timeoutMs: 60_000,
  schedule: { cron: "* * * * *", input: {} },
  run: ({ app }) => launchScheduled(app),
});

/** Windows in a row that started nothing before somebody should look. */
const failingAfter = 5;

export async function launchScheduled(app: App): Promise<void> {
  for (;;) {
    const due = await claimDue(app);
    if (!due) return;
    const outcome = await launch(app, due).catch((error: unknown) => {
      if (error instanceof ApiError) return error;
      throw error;
    });
    await note(app, due, outcome);
  }
}

interface Due {
  suite: SuiteRow;
  schedule: ScheduleRow;
  /** When it was to run. */
  window: Date;
}

/** Moves the schedule on in the same statement that takes it: of all processes one launches. */
async function claimDue(app: App): Promise<Due | undefined> {
  const now = new Date(app.now());
  return app.db.transaction(async (tx) => {
    const [found] = await tx
      .select({ schedule: evalSchedules, suite: evalSuites })
      .from(evalSchedules)
      .innerJoin(evalSuites, eq(evalSuites.id, evalSchedules.suiteId))
      .where(
        and(
          evalSchedules.enabled,
          lte(evalSchedules.nextRunAt, now),
          sql`${evalSchedules.state} <> 'paused'`,
        ),
      )
      .orderBy(evalSchedules.nextRunAt)
      .limit(1)
      .for("update", { of: evalSchedules, skipLocked: true });
    if (!found) return undefined;
    const { schedule, suite } = found;
    const window = schedule.nextRunAt!;
    const intervalMs = schedule.intervalMinutes * 60_000;
    const missed = Math.floor((now.getTime() - window.getTime()) / intervalMs);
    const nextRunAt = new Date(window.getTime() + (missed + 1) * intervalMs);
    await tx.update(evalSchedules).set({ nextRunAt }).where(eq(evalSchedules.suiteId, suite.id));
    return { suite: { ...suite, createdByName: null }, schedule, window };
  });
}

async function launch(app: App, { suite, schedule, window }: Due): Promise<EvalRunId> {
  const { setBy, environmentId } = schedule;
  if (setBy === null) throw new ApiError("UNAUTHORIZED", "Whoever set the schedule is gone.");
  const launcher = {
    app,
    // Asked again each time: a right that was taken away is gone.
    project: await findProject(app.pool, { userId: setBy, boundTo: null }, suite.projectId).catch(noAccess),
    by: { userId: setBy, surface: "schedule", apiKeyId: null },
    source: "schedule" as const,
  };
  const idempotencyScope = digestOf(["evalSchedule", suite.id, window.getTime()]);
  const body = { suiteId: suite.id, ...(environmentId !== null && { environmentId }) };
  const { runId } = await createRun(launcher, suite, body, { idempotencyScope }, "");
  // Made a moment ago.
  return runId as EvalRunId;
}

function noAccess(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  throw new ApiError("FORBIDDEN", "Whoever set the schedule may no longer run it.");
}

/** What trying again cannot mend stops it until somebody sets it anew; anything else has its next window. */
const pausing = new Set<string>(["UNAUTHORIZED", "FORBIDDEN"]);

async function note(app: App, { suite, schedule }: Due, outcome: EvalRunId | ApiError): Promise<void> {
  const failures = schedule.failuresInARow + 1;
  const change =
    outcome instanceof ApiError
      ? {
          failuresInARow: failures,
          lastError: outcome.message,
          state: pausing.has(outcome.code)
            ? ("paused" as const)
            : failures >= failingAfter
              ? ("failing" as const)
              : ("ok" as const),
        }
      : { failuresInARow: 0, lastError: null, state: "ok" as const, lastRunId: outcome };
  await app.db.transaction(async (tx) => {
    await tx.update(evalSchedules).set(change).where(eq(evalSchedules.suiteId, suite.id));
    await announceInProject(app, tx, suite.projectId, "eval-suites");
  });
}
