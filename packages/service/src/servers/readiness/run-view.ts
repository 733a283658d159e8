/** @module A readiness run and its report as they are told. */

import type { ReadinessReport } from "@fettle/checks";
import type { ReadinessReportView, ReadinessRun } from "@fettle/contract/servers";
import type { App } from "../../core/app.ts";
import { missing } from "../../core/routing/not-found.ts";
import { findReport, type RunRow } from "./store.ts";

export function toRun(row: RunRow, origin: string): ReadinessRun {
  return {
    id: row.id,
    projectId: row.projectId,
    readinessKind: row.readinessKind,
    serverId: row.serverId,
    serverUrl: row.serverUrl,
    submissionMode: row.submissionMode,
    status: row.status,
    overallStatus: row.overallStatus,
    lanes: row.lanes,
    stages: row.stages,
    authMode: row.authMode,
    capabilities: row.capabilities,
    attemptCount: row.attemptCount,
    terminalReason: row.terminalReason,
    errorMessage: row.errorMessage,
    policySnapshotDate: row.policySnapshotDate,
    engineVersion: row.engineVersion,
    sdkVersion: row.engineVersion,
    includeLlmObservations: row.includeLlmObservations,
    llmObservations: row.llmObservations,
    hasReport: row.hasReport,
    reportUrl: row.hasReport ? `${origin}/p/${row.projectId}/readiness/${row.id}` : null,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  };
}

/** The stored report is whole and in order; how much of it is told is up to who asks. */
export async function readReport(app: App, run: RunRow, limit: number): Promise<ReadinessReportView> {
  const text = await findReport(app.db, run.id);
  if (text === undefined) {
    throw missing("This run has no report.", "Only a run that was graded has one: read the run's status.", {
      code: "REPORT_NOT_FOUND",
    });
  }
  // Written by us, of this very shape.
  const report = JSON.parse(text) as ReadinessReport;
  const findings = report.findings.slice(0, limit);
  return {
    runId: run.id,
    readinessKind: run.readinessKind,
    status: report.overallStatus,
    summary: report.summary,
    lanes: report.lanes,
    stages: report.stages,
    badges: report.badges,
    observations: run.llmObservations,
    findings: findings as ReadinessReportView["findings"],
    returnedFindings: findings.length,
    totalFindings: report.findings.length,
    truncated: findings.length < report.findings.length,
  };
}
