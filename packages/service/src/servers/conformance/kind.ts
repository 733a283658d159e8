/** @module What a conformance run is as a kind of run. At its end what has arrived is counted; what was asked for and has not counts as could not run. */
import { limits } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import { and, eq, lt, ne, or, sql } from "drizzle-orm";
import type { App } from "../../core/app.ts";
import type { Transaction } from "../../core/db/pool.ts";
import { conformanceRuns, conformanceSchedules, type Tally } from "../../core/tables/conformance.ts";
import { isJobOver } from "../../core/tables/jobs.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import type { RunKind } from "../../runs/life/kind.ts";
import { writeEntry } from "../history/keeper.ts";
import { hasEnded } from "./ended.ts";
import { listReports, type RunRow, type RunValues } from "./store.ts";
import { tallyRun } from "./tally.ts";
import { tellConformanceEnded } from "./tell-ended.ts";
import { verdictEntry } from "./verdict-entry.ts";

/** `durationMs`: how long it took where it was made; else the time since it began. */
type OwnEnding = { end: "completed"; durationMs?: number | undefined };

const statuses = { completed: "completed", canceled: "cancelled", lost: "timed_out" } as const;

export const conformanceRunKind: RunKind<RunRow, RunValues, OwnEnding> = {
  name: "conformance",
  watchdog: "conformance.end-abandoned",
  table: conformanceRuns,
  part: "conformance-runs",
  open: { waiting: "queued", running: "running" },
  verdict: async (app, tx, run, ending) => {
    const tally = tallyRun(run.requestedSuites, await listReports(tx, run.id));
    const now = app.now();
    const tookMs = "durationMs" in ending ? ending.durationMs : undefined;
    return {
      status: statuses[ending.end],
      outcome: tally.outcome,
      tally,
      progress: null,
      durationMs: Math.max(0, Math.round(tookMs ?? now - run.createdAt.getTime())),
      completedAt: new Date(now),
    };
  },
  ended: async (app, tx, run) => {
    const tally = must(run.tally, "the counts that are written with the end");
    await keepVerdict(app, tx, run, tally);
    await tellConformanceEnded(app, tx, run, tally);
  },
  lost: (now) => {
    const { verification, heartbeatAt, faults } = conformanceRuns;
    const { silenceMs, refusedSilenceMs } = limits.conformance;
    const silentFor = (ms: number) => lt(heartbeatAt, new Date(now - ms));
    // Where a report was refused, most reporters go.
    const isSilent = or(silentFor(silenceMs), and(ne(faults, {}), silentFor(refusedSilenceMs)));
    return or(and(eq(verification, "reported"), isSilent), and(eq(verification, "hosted"), isJobOver));
  },
  refusal: hasEnded,
  deletes: (ids) => [
    sql`update ${conformanceSchedules} set last_run_id = null where last_run_id = any(${ids})`,
  ],
};

/** In the server's own history. */
async function keepVerdict(app: App, tx: Transaction, run: RunRow, tally: Tally): Promise<void> {
  const { id: runId, serverId, createdBy: userId } = run;
  if (serverId === null) return;
  await writeEntry(tx, { serverId, userId, runId }, verdictEntry(run, tally));
  await announceInProject(app, tx, run.projectId, "history");
}
