/** @module A run as the files that `fettle conformance run` writes: everything as JSON, a summary for CI, or JUnit. */

import { combinedReportOf, type SuiteReport, toCombinedJunitXml } from "@fettle/checks";
import { must } from "@fettle/contract/formats";
import type { ConformanceExport, ConformanceExportFormat } from "@fettle/contract/servers";
import { missing } from "../../core/routing/not-found.ts";
import { readStored } from "./run-view.ts";
import type { ReportRow, RunRow } from "./store.ts";

export function exportRun(
  run: RunRow,
  rows: readonly ReportRow[],
  format: ConformanceExportFormat,
): ConformanceExport {
  if (rows.length === 0) {
    throw missing(
      "This run has no report yet.",
      "A report is there when its suite is done: read the run's status.",
      { code: "REPORT_NOT_FOUND" },
    );
  }
  const reports = rows.map(({ suiteKind, report, tally }) => ({
    suiteKind,
    // Told from elsewhere or made here, it is counted by the service; the contract only leaves more open than our own type.
    report: { ...readStored(report), outcome: tally.outcome, score: tally } as SuiteReport,
  }));
  const named = (ending: string, mediaType: string, content: string) => ({
    fileName: `${run.id}.${ending}`,
    mediaType,
    content,
  });
  const all = reports.map(({ report }) => report);
  if (format === "junit-xml") return named("xml", "application/xml", toCombinedJunitXml(all));
  const durationMs = run.durationMs ?? 0;
  const combined = combinedReportOf(
    run.target.serverUrl ?? must(all[0], "a report to export").name,
    all,
    durationMs,
  );
  if (format === "json-summary")
    return named("summary.json", "application/json", `${JSON.stringify(combined)}\n`);
  const whole = {
    schemaVersion: 1,
    requestedSuites: run.requestedSuites,
    reports: Object.fromEntries(reports.map(({ suiteKind, report }) => [suiteKind, report])),
    outcome: combined.outcome,
    score: combined.score,
    durationMs,
    runId: run.id,
  };
  return named("json", "application/json", `${JSON.stringify(whole, null, 2)}\n`);
}
