/** @module Two runs side by side: which checks came out otherwise. */

import { turnedChecks } from "@fettle/checks";
import type { ConformanceComparison } from "@fettle/contract/servers";
import { notFound } from "../../core/routing/not-found.ts";
import { readStored } from "./run-view.ts";
import type { ReportRow, RunRow } from "./store.ts";

/** A run with the text of its reports. */
export interface WholeRun {
  run: RunRow;
  reports: readonly Pick<ReportRow, "suiteKind" | "report">[];
}

export function compareRuns(earlier: WholeRun | undefined, later: WholeRun): ConformanceComparison {
  const head = { runId: later.run.id, outcome: later.run.outcome, score: later.run.tally?.score ?? null };
  if (!earlier) return { ...head, earlier: null, turned: [], same: 0 };
  // A suite that only one of them has tells nothing about a turn.
  const both = earlier.reports.flatMap(({ suiteKind, report }) => {
    const other = later.reports.find((each) => each.suiteKind === suiteKind);
    return other ? [{ suiteKind, ...turnedChecks(readStored(report), readStored(other.report)) }] : [];
  });
  const { id, createdAt, outcome, tally } = earlier.run;
  return {
    ...head,
    earlier: { runId: id, createdAt: createdAt.getTime(), outcome, score: tally?.score ?? null },
    turned: both
      .flatMap(({ suiteKind, turned }) => turned.map((check) => ({ suiteKind, ...check })))
      .toSorted((a, b) => order.indexOf(a.turn) - order.indexOf(b.turn)),
    same: both.reduce((sum, { same }) => sum + same, 0),
  };
}

const order = ["worse", "better", "other"];

export const noEarlierRun = () =>
  notFound(
    "conformanceRun",
    { path: "query.with", code: "EARLIER_RUN_NOT_FOUND" },
    "The project has no run with that id to compare with.",
  );
