/** @module A run as it is told: the whole, and what of it failed or could not run. */

import { isNothingToTest } from "@fettle/checks";
import { limits } from "@fettle/contract/core";
import {
  type ConformanceFixtures,
  type ConformanceReportView,
  type ConformanceRun,
  ConformanceSuiteReport,
} from "@fettle/contract/servers";
import { missing } from "../../core/routing/not-found.ts";
import type { Tally } from "../../core/tables/conformance.ts";
import { isEnded } from "./ended.ts";
import { pageOfRun } from "./page-of-run.ts";
import type { ReportRow, RunRow, RunWithReports } from "./store.ts";

export function toRun(row: RunWithReports, origin: string): ConformanceRun {
  const { tally } = row;
  return {
    id: row.id,
    projectId: row.projectId,
    serverId: row.serverId,
    target: row.target,
    source: row.source,
    verification: row.verification,
    actorLabel: row.actorLabel,
    status: row.status,
    progress: row.progress,
    outcome: row.outcome,
    nothingToTest: hadNothing(tally),
    incompleteReason: incompleteReasonOf(row),
    score: tally?.score ?? null,
    applicable: tally?.applicable ?? 0,
    passed: tally?.passed ?? 0,
    failed: tally?.failed ?? 0,
    couldNotRun: tally?.couldNotRun ?? 0,
    notApplicable: tally?.notApplicable ?? 0,
    pending: tally?.pending ?? 0,
    advisoryCount: tally?.advisories.length ?? 0,
    requestedSuites: row.requestedSuites,
    protocolVersion: tally?.protocolVersion ?? row.protocolVersion,
    engineVersion: row.engineVersion,
    externalRunId: row.externalRunId,
    ci: row.ci,
    options:
      row.verification === "hosted"
        ? { protocolVersion: row.protocolVersion, fixtures: fixturesOf(row) ?? null }
        : null,
    createdAt: row.createdAt.getTime(),
    completedAt: row.completedAt?.getTime() ?? null,
    durationMs: row.durationMs,
    reports: row.requestedSuites.map((suiteKind) => {
      const held = row.reports.find((report) => report.suiteKind === suiteKind);
      return {
        suiteKind,
        status: held ? ("reported" as const) : isEnded(row) ? ("missing" as const) : ("waiting" as const),
        outcome: held?.tally.outcome ?? null,
        nothingToTest: hadNothing(held?.tally),
        score: held?.tally.score ?? null,
        pending: held?.tally.pending ?? 0,
        profileId: held?.profileId ?? null,
        profileVersion: held?.profileVersion ?? null,
        durationMs: held?.durationMs ?? null,
        hasReport: held !== undefined,
      };
    }),
    reportUrl: pageOfRun(origin, row),
  };
}

/** As they were parsed when the run was started. */
export function fixturesOf({ fixtures }: RunRow): ConformanceFixtures | undefined {
  return fixtures === null ? undefined : (JSON.parse(fixtures) as ConformanceFixtures);
}

function hadNothing(tally: Tally | null | undefined): boolean {
  return tally ? isNothingToTest(tally) : false;
}

/** Which suites brought no report, and why where it is known; then which checks could not run. */
function incompleteReasonOf(row: RunWithReports): string | null {
  if (row.outcome !== "incomplete" || !row.tally) return null;
  const missing = row.requestedSuites
    .filter((kind) => !row.reports.some(({ suiteKind }) => suiteKind === kind))
    .map((kind) => row.faults[kind] ?? `The ${kind} suite brought no report.`);
  const { couldNotRunIds } = row.tally;
  const waiting = couldNotRunIds.length > 0 ? [`Could not run: ${couldNotRunIds.join(", ")}.`] : [];
  return [...new Set([...missing, ...waiting])].join(" ") || "No check was made.";
}

/** What failed, then what could not run. */
export function toReportView(row: RunWithReports, reports: readonly ReportRow[]): ConformanceReportView {
  if (reports.length === 0) {
    throw missing(
      "This run has no report yet.",
      "A report is there when its suite is done: read the run's status.",
      { code: "REPORT_NOT_FOUND" },
    );
  }
  const read = reports.map(({ suiteKind, report }) => ({ suiteKind, report: readStored(report) }));
  const cases = read.flatMap(({ suiteKind, report }) => {
    const pendingIds = new Set(report.profile?.pendingCheckIds);
    return report.groups.flatMap((group) =>
      group.cases.map((each) => ({
        ...each,
        suiteKind,
        groupId: group.id,
        pending: pendingIds.has(each.id),
      })),
    );
  });
  const failed = cases.filter(({ status }) => status === "failed");
  const stuck = cases.filter(
    ({ status, skipReason }) => status === "skipped" && skipReason !== "not-applicable",
  );
  const failing = [...failed, ...stuck];
  const most = limits.conformance.reportedChecks;
  return {
    runId: row.id,
    status: row.status,
    outcome: row.outcome,
    nothingToTest: hadNothing(row.tally),
    score: row.tally?.score ?? null,
    pending: row.tally?.pending ?? 0,
    checks: failing.slice(0, most).map(({ suiteKind, id, title, groupId, status, pending, error }) => ({
      suiteKind,
      id,
      title,
      groupId,
      pending,
      ...(status === "failed"
        ? { status: "failed" as const }
        : { status: "skipped" as const, skipReason: "could-not-run" as const }),
      ...(error && { error: { message: error.message } }),
    })),
    totalCases: cases.length,
    totalFailingCases: failing.length,
    truncated: failing.length > most,
    profiles: read.flatMap(({ suiteKind, report: { profile } }) =>
      profile
        ? [
            {
              suiteKind,
              profileId: profile.profileId,
              profileVersion: profile.profileVersion,
              pendingCheckIds: profile.pendingCheckIds,
            },
          ]
        : [],
    ),
  };
}

export const noSuiteReport = () =>
  missing("This run has no report of that suite.", "The run lists the suites that it has reports of.", {
    code: "REPORT_NOT_FOUND",
  });

export function readStored(text: string): ConformanceSuiteReport {
  return ConformanceSuiteReport.parse(JSON.parse(text));
}
