/** @module Two runs side by side: which checks came out otherwise. */
import { turnedChecks } from "@fettle/checks";
import { ApiError, type ConformanceComparison, type ConformanceRunId } from "@fettle/contract";
import type { App } from "../app.ts";
import { readStored } from "./run-view.ts";
import * as store from "./store.ts";

export async function compareRun(
  app: App,
  run: store.RunWithReports,
  wanted: ConformanceRunId | undefined,
): Promise<ConformanceComparison> {
  const head = { runId: run.id, outcome: run.outcome, score: run.tally?.score ?? null };
  const earlier = wanted ? await requireRun(app, run, wanted) : await store.findEarlierRun(app.db, run);
  if (!earlier) return { ...head, earlier: null, turned: [], same: 0 };
  const [before, after] = await Promise.all([reportsOf(app, earlier), reportsOf(app, run)]);
  // A suite that only one of them has tells nothing about a turn.
  const both = before.flatMap(({ suiteKind, report }) => {
    const later = after.find((each) => each.suiteKind === suiteKind);
    return later ? [{ suiteKind, ...turnedChecks(report, later.report) }] : [];
  });
  return {
    ...head,
    earlier: {
      runId: earlier.id,
      createdAt: earlier.createdAt.getTime(),
      outcome: earlier.outcome,
      score: earlier.tally?.score ?? null,
    },
    turned: both
      .flatMap(({ suiteKind, turned }) => turned.map((check) => ({ suiteKind, ...check })))
      .toSorted((a, b) => order.indexOf(a.turn) - order.indexOf(b.turn)),
    same: both.reduce((sum, { same }) => sum + same, 0),
  };
}

const order = ["worse", "better", "other"];

async function requireRun(
  app: App,
  { projectId }: store.RunRow,
  id: ConformanceRunId,
): Promise<store.RunWithReports> {
  const found = await store.findRun(app.db, projectId, id);
  if (found) return found;
  throw new ApiError("NOT_FOUND", "The project has no run with that id to compare with.", {
    path: "query.with",
    code: "EARLIER_RUN_NOT_FOUND",
  });
}

async function reportsOf(app: App, run: store.RunRow) {
  const rows = await store.listReports(app.db, run.id);
  return rows.map(({ suiteKind, report }) => ({ suiteKind, report: readStored(report) }));
}
