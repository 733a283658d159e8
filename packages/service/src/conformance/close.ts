/** @module Ends a run, once: what has arrived is counted, what was asked for and has not is counted as could not run. */
import type { ConformanceStatus } from "@fettle/contract";
import { announceInProject } from "../accounts/announce.ts";
import type { App } from "../app.ts";
import type { Transaction } from "../db/pool.ts";
import { noCall, noRecording } from "../live/kept.ts";
import { writeEntry } from "../server-history/keeper.ts";
import type { Tally } from "../tables/conformance.ts";
import * as store from "./store.ts";
import { tallyRun } from "./tally.ts";
import { tellConformanceEnded } from "./tell-ended.ts";

export type Ended = Exclude<ConformanceStatus, "queued" | "running">;

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

const outcomes = { passed: "ok", failed: "failed", incomplete: "partial" } as const;

/** In the server's own history; the report stays with the run. */
async function keepVerdict(app: App, tx: Transaction, row: store.RunRow, tally: Tally): Promise<void> {
  const { id: runId, projectId, serverId, status, requestedSuites, createdAt, createdBy: userId } = row;
  if (serverId === null) return;
  const { outcome, score, couldNotRunIds: _ids, ...counts } = tally;
  await writeEntry(
    tx,
    { projectId, serverId, userId, runId },
    {
      ...noCall,
      kind: "conformance",
      outcome: status === "cancelled" ? "stopped" : outcomes[outcome],
      code: outcome,
      subject: requestedSuites.join(", "),
      summary: `${tally.passed} of ${tally.applicable} checks passed, ${tally.failed} failed`,
      at: createdAt.getTime(),
      durationMs: row.durationMs ?? 0,
      result: JSON.stringify({ outcome, score, ...counts }),
      isResultCut: false,
      ...noRecording,
    },
  );
  await announceInProject(app, tx, projectId, "history");
}

export function isEnded({ status }: Pick<store.RunRow, "status">): boolean {
  return status !== "queued" && status !== "running";
}
