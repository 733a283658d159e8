/** @module Reading conformance runs, and stopping one. */
import type { ConformanceRunId, ProjectId, ServerId } from "@fettle/contract/core";
import {
  type ConformanceComparison,
  type ConformanceReportView,
  type ConformanceRun,
  type ConformanceSuiteReport,
  conformanceSuites,
} from "@fettle/contract/servers";
import type { App } from "../../core/app.ts";
import { cutPage, readPlace, writeCursor } from "../../core/routing/page.ts";
import { cancelRun as cancel } from "../../runs/life/life.ts";
import { compareRuns, noEarlierRun } from "./compare.ts";
import { conformanceRunKind } from "./kind.ts";
import { noSuiteReport, readStored, toReportView, toRun } from "./run-view.ts";
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
  const before = readPlace<"conformanceRun">(cursor);
  const rows = await store.listRuns(app.db, { projectId, serverId, before, limit: limit + 1 });
  const { shown, next } = cutPage(rows, limit, (last) => writeCursor(last.createdAt, last.id));
  return {
    items: shown.map((row) => toRun(row, origin)),
    ...next,
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
  throw noSuiteReport();
}

/** With the last one before it that is comparable, unless one is named. */
export async function compareRun(
  app: App,
  run: store.RunWithReports,
  wanted: ConformanceRunId | undefined,
): Promise<ConformanceComparison> {
  const named = wanted && (await store.findRun(app.db, run.projectId, wanted));
  if (wanted && !named) throw noEarlierRun();
  const earlier = named || (await store.findEarlierRun(app.db, run));
  const whole = async (each: store.RunRow) => ({
    run: each,
    reports: await store.listReports(app.db, each.id),
  });
  return compareRuns(earlier && (await whole(earlier)), await whole(run));
}

export async function cancelRun(
  app: App,
  run: store.RunWithReports,
  origin: string,
): Promise<ConformanceRun> {
  await cancel(app, conformanceRunKind, run);
  return toRun((await store.findRun(app.db, run.projectId, run.id)) ?? run, origin);
}
