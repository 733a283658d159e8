/** @module Reading conformance runs, and stopping one. */
import {
  ApiError,
  type ConformanceReportView,
  type ConformanceRun,
  type ConformanceSuiteReport,
  conformanceSuites,
  idOf,
  type ProjectId,
  type ServerId,
} from "@fettle/contract";
import type { App } from "../app.ts";
import { closeRun } from "./close.ts";
import { readStored, toReportView, toRun } from "./run-view.ts";
import { requireOpen } from "./save-report.ts";
import * as store from "./store.ts";

export async function listRuns(
  app: App,
  projectId: ProjectId,
  {
    serverId,
    cursor,
    limit,
  }: { serverId?: ServerId | undefined; cursor?: string | undefined; limit: number },
  origin: string,
): Promise<{ items: ConformanceRun[]; nextCursor?: string }> {
  const before = cursor === undefined ? undefined : readCursor(cursor);
  // One more than asked for tells whether there is another page.
  const rows = await store.listRuns(app.db, { projectId, serverId, before, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map((row) => toRun(row, origin)),
    ...(rows.length > limit && last && { nextCursor: writeCursor(last) }),
  };
}

export async function readReport(app: App, run: store.RunWithReports): Promise<ConformanceReportView> {
  return toReportView(run, await store.listReports(app.db, run.id));
}

export async function readSuiteReport(
  app: App,
  run: store.RunWithReports,
  kind: string,
): Promise<ConformanceSuiteReport> {
  const suiteKind = conformanceSuites.find((each) => each === kind);
  const row = suiteKind && (await store.findReport(app.db, run.id, suiteKind));
  if (row) return readStored(row.report);
  throw new ApiError("NOT_FOUND", "This run has no report of that suite.", { code: "REPORT_NOT_FOUND" });
}

/** A job that works on it is told to stop; its outcome would change nothing any more. */
export async function cancelRun(
  app: App,
  run: store.RunWithReports,
  origin: string,
): Promise<ConformanceRun> {
  const closed = await app.db.transaction(async (tx) => {
    const row = await closeRun(app, tx, run, "cancelled");
    if (!row) requireOpen((await store.lockRun(tx, run.projectId, run.id)) ?? run);
    return row;
  });
  if (closed?.jobId) await app.jobs.cancel(closed.jobId);
  return toRun((await store.findRun(app.db, run.projectId, run.id)) ?? run, origin);
}

function writeCursor({ createdAt, id }: store.RunRow): string {
  return Buffer.from(`${createdAt.getTime()} ${id}`).toString("base64url");
}

function readCursor(cursor: string): store.Place {
  const [, at, id] = /^(\d{1,15}) (\S{1,100})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (at !== undefined && id !== undefined) {
    // A place in the order of ids: whether it is still anybody's does not matter.
    return { at: new Date(Number(at)), id: idOf<"conformanceRun">().parse(id) };
  }
  throw new ApiError("VALIDATION_ERROR", "This is not a cursor of this list.", {
    path: "query.cursor",
    code: "BAD_CURSOR",
  });
}
