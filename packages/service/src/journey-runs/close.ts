/** @module The ends of a run: all its sessions have settled, somebody cancelled it, or whatever played it fell silent. */
import { ApiError, type JourneyRunCanceled, swarmLimits } from "@fettle/contract";
import { z } from "zod";
import { announceInProject } from "../accounts/announce.ts";
import type { App } from "../app.ts";
import type { Querier, Transaction } from "../db/pool.ts";
import { mineCompleted } from "../insights/asking.ts";
import { defineJob } from "../jobs/define.ts";
import { releaseHold } from "../models/budget.ts";
import { organizationOf } from "../projects/store.ts";
import { endLostCalibrations } from "./calibrations/close.ts";
import { sourceOf } from "./frozen.ts";
import { askedOf } from "./insights/source.ts";
import { tell } from "./live.ts";
import { displayStatus, settledStatus } from "./run-states.ts";
import * as store from "./store.ts";
import { countRuns, type RunTally } from "./tally.ts";

/** Undefined: it had ended before, or a session has not. */
export async function settleRun(
  app: App,
  tx: Transaction,
  run: Pick<store.RunRow, "id">,
): Promise<store.RunRow | undefined> {
  await store.lockRun(tx, run.id);
  const attempts = await store.listAttempts(tx, [run.id]);
  const status = settledStatus(attempts.map(({ state }) => state));
  if (!status) return undefined;
  return end(app, tx, run, { status, tally: await finalTally(tx, run) });
}

/** Undefined while somebody may still be grading: the watchdog counts it then. */
async function finalTally(tx: Querier, { id }: Pick<store.RunRow, "id">): Promise<RunTally | undefined> {
  const tally = (await countRuns(tx, [id])).get(id);
  return tally && tally.gradings.pending === 0 && (tally.goal?.pendingCount ?? 0) === 0 ? tally : undefined;
}

async function end(
  app: App,
  tx: Transaction,
  { id }: Pick<store.RunRow, "id">,
  change: Partial<store.RunValues>,
): Promise<store.RunRow | undefined> {
  const row = await store.updateRun(tx, id, { ...change, completedAt: new Date(app.now()) });
  if (row) {
    // Free of charge; the last run of a wave looks at all of it.
    await mineCompleted(app, tx, await askedOf(tx, row));
    await releaseHold(tx, await organizationOf(tx, row), sourceOf(id));
    await announceInProject(app, tx, row.projectId, "journey-runs");
  }
  return row;
}

export const tellEnded = async (app: App, run: store.RunRow | undefined) =>
  run && tell(app, run, "run_complete", { status: displayStatus(run) });

/** What has not begun never will; what is under way is told to let go, and says so itself. */
export async function cancelRun(app: App, run: store.RunRow): Promise<JourneyRunCanceled> {
  const { row, finalized } = await app.db.transaction(async (tx) => {
    const now = (await store.lockRun(tx, run.id)) ?? run;
    if (now.status !== "running") return { row: now, finalized: undefined };
    const endedAt = new Date(app.now());
    const count = await store.finalize(tx, run.id, "pending", { error: "runner_shutdown", endedAt });
    const ended = await end(app, tx, run, { status: "failed", error: "canceled", canceled: true });
    return { row: ended ?? now, finalized: count };
  });
  if (finalized !== undefined) {
    if (row.jobId) await app.jobs.cancel(row.jobId);
    await tellEnded(app, row);
    return { canceled: true, alreadyCanceled: false, finalized };
  }
  if (row.canceled) return { canceled: true, alreadyCanceled: true, finalized: 0 };
  throw new ApiError("CONFLICT", `The run has ended: it is ${row.status}.`, {
    code: "RUN_ENDED",
    status: row.status,
  });
}

export const endSilentJourneyRunsJob = defineJob({
  name: "journeys.end-silent",
  input: z.object({}),
  retry: { attempts: 3, delayMs: 1_000 },
  timeoutMs: 60_000,
  schedule: { cron: "* * * * *", input: {} },
  run: ({ app }) => endSilentRuns(app),
});

/** The watchdog: ends what whoever played it left behind, and counts what nobody works on any more. */
export async function endSilentRuns(app: App): Promise<void> {
  const now = new Date(app.now());
  const silentSince = new Date(app.now() - swarmLimits.beatMs * swarmLimits.silentBeats);
  for (const run of await store.listSilent(app.db, silentSince)) {
    const row = await app.db.transaction(async (tx) => {
      if ((await store.lockRun(tx, run.id))?.status !== "running") return undefined;
      for (const from of ["running", "pending"] as const)
        await store.finalize(tx, run.id, from, { error: "stale_runner", endedAt: now });
      return end(app, tx, run, { status: "failed", error: "stale_runner", stale: true });
    });
    if (run.jobId) await app.jobs.cancel(run.jobId);
    await tellEnded(app, row);
  }
  // Of a cancelled run whose player died before it could let go.
  for (const { id } of await store.listUnwound(app.db))
    await store.finalize(app.db, id, "running", { error: "stale_runner", endedAt: now });
  await endLostCalibrations(app);
  const uncounted = await store.listUncounted(app.db, swarmLimits.countedAtOnce);
  for (const [id, tally] of await countRuns(app.db, uncounted)) await store.keepTally(app.db, id, tally);
}
