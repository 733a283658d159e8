/** @module What a journey run is as a kind of run: all its sessions have settled, somebody canceled it, or whatever played it fell silent. */
import { swarmLimits } from "@fettle/contract/visitors";
import { and, isNotNull, lt, or } from "drizzle-orm";
import type { App } from "../../core/app.ts";
import type { Querier } from "../../core/db/pool.ts";
import { isJobHeld, isJobOver } from "../../core/tables/jobs.ts";
import { journeyRuns } from "../../core/tables/journey-runs.ts";
import { mineCompleted } from "../../insights/asking.ts";
import type { RunKind } from "../../runs/life/kind.ts";
import { askedOf } from "./insights/source.ts";
import { tell } from "./live.ts";
import { endWords, settledStatus } from "./run-states.ts";
import * as store from "./store.ts";
import { countRuns, type RunTally } from "./tally.ts";

/** Its sessions have settled; while one has not, the run is not over. */
type OwnEnding = { end: "settled" };

export const journeyRunKind: RunKind<store.RunRow, store.RunValues, OwnEnding> = {
  name: "journey",
  watchdog: "journeys.end-silent",
  table: journeyRuns,
  part: "journey-runs",
  // A launch begins with sessions that wait; the run itself does not.
  open: { waiting: "running", running: "running" },
  spendsAs: "journeyRun",
  verdict: async (app, tx, run, { end }) => {
    const completedAt = new Date(app.now());
    if (end === "settled") {
      const attempts = await store.listAttempts(tx, [run.id]);
      const status = settledStatus(attempts.map(({ state }) => state));
      return status && { status, tally: await finalTally(tx, run), completedAt };
    }
    if (end === "canceled") {
      // What is under way is told to let go, and says so itself.
      await store.finalize(tx, run.id, "pending", { error: store.shutDown, endedAt: completedAt });
      return { status: "failed", error: "canceled", canceled: true, completedAt };
    }
    for (const from of ["running", "pending"] as const)
      await store.finalize(tx, run.id, from, { error: staleRunner, endedAt: completedAt });
    return { status: "failed", error: staleRunner, stale: true, completedAt };
  },
  ended: async (app, tx, run) => {
    // Free of charge; the last run of a wave looks at all of it.
    await mineCompleted(app, tx, await askedOf(tx, run));
    await tell(app, run, "run_complete", endWords(run), { inTransaction: tx });
  },
  // A job that waits, or whose worker is gone, is taken up again, and its run is not lost.
  lost: (now) => {
    const silentSince = new Date(now - swarmLimits.beatMs * swarmLimits.silentBeats);
    const hangs = and(lt(journeyRuns.heartbeatAt, silentSince), isJobHeld);
    return and(isNotNull(journeyRuns.jobId), or(hangs, isJobOver));
  },
  upkeep: endLeftSessions,
  isCanceled: ({ canceled }) => canceled,
  deletes: () => [],
};

const staleRunner = "stale_runner";

/** Undefined while somebody may still be grading: the watchdog counts it then. */
async function finalTally(tx: Querier, { id }: Pick<store.RunRow, "id">): Promise<RunTally | undefined> {
  const tally = (await countRuns(tx, [id])).get(id);
  return tally && tally.gradings.pending === 0 && (tally.goal?.pendingCount ?? 0) === 0 ? tally : undefined;
}

/** Ends sessions of a canceled run whose player died before it could let go, and counts what nobody works on any more. */
async function endLeftSessions({ db, now }: Pick<App, "db" | "now">): Promise<void> {
  for (const { id } of await store.listUnwound(db))
    await store.finalize(db, id, "running", { error: staleRunner, endedAt: new Date(now()) });
  const uncounted = await store.listUncounted(db, swarmLimits.countedAtOnce);
  for (const [id, tally] of await countRuns(db, uncounted)) await store.keepTally(db, id, tally);
}
