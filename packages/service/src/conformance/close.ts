/** @module Ends a run, once: what has arrived is counted, what was asked for and has not is counted as could not run. */
import { announceInProject } from "../accounts/announce.ts";
import type { App } from "../app.ts";
import type { Transaction } from "../db/pool.ts";
import { writeEntry } from "../server-history/keeper.ts";
import type { Tally } from "../tables/conformance.ts";
import { type Ended, isEnded } from "./ended.ts";
import * as store from "./store.ts";
import { tallyRun } from "./tally.ts";
import { tellConformanceEnded } from "./tell-ended.ts";
import { verdictEntry } from "./verdict-entry.ts";

/** Undefined when the run had ended before. */
export async function closeRun(
  app: App,
  tx: Transaction,
  { id, projectId }: Pick<store.RunRow, "id" | "projectId">,
  status: Ended,
  /** How long it took where it was made; else the time since it began. */
  durationMs?: number,
): Promise<store.RunRow | undefined> {
  const open = await store.lockRun(tx, projectId, id);
  if (!open || isEnded(open)) return undefined;
  const tally = tallyRun(open.requestedSuites, await store.listReports(tx, id));
  const now = app.now();
  const row = await store.updateOpenRun(tx, id, {
    status,
    outcome: tally.outcome,
    tally,
    progress: null,
    durationMs: Math.max(0, Math.round(durationMs ?? now - open.createdAt.getTime())),
    completedAt: new Date(now),
  });
  await announceInProject(app, tx, projectId, "conformance-runs");
  if (row) {
    await keepVerdict(app, tx, row, tally);
    await tellConformanceEnded(app, tx, row, tally);
  }
  return row;
}

/** In the server's own history. */
async function keepVerdict(app: App, tx: Transaction, row: store.RunRow, tally: Tally): Promise<void> {
  const { id: runId, projectId, serverId, createdBy: userId } = row;
  if (serverId === null) return;
  await writeEntry(tx, { projectId, serverId, userId, runId }, verdictEntry(row, tally));
  await announceInProject(app, tx, projectId, "history");
}
