/** @module A readiness grade for CI: a case for each finding. Only what decides can fail; what could not be evaluated is skipped, with the input that is missing. */
import {
  type ReadinessFinding,
  type ReadinessReport,
  type ReportCase,
  toJsonSummary,
  toJunitXml,
} from "@fettle/checks";

export function printReadiness(
  report: ReadinessReport,
  reporter: "json-summary" | "junit-xml",
  durationMs: number,
): string {
  const { findings, readinessKind, serverUrl, submissionMode, overallStatus, lanes, stages } = report;
  const input = {
    kind: "directory-readiness",
    durationMs,
    metadata: { readinessKind, serverUrl, submissionMode, overallStatus, lanes, stages },
    cases: findings.map(caseOf),
  };
  return reporter === "junit-xml" ? toJunitXml(input) : `${JSON.stringify(toJsonSummary(input))}\n`;
}

function caseOf(finding: ReadinessFinding): ReportCase {
  const { id, title, lane, class: kind, status, message, notEvaluatedReason, missingInput } = finding;
  const decides = kind === "required" || kind === "runtime-blocker";
  const open =
    status === "not-evaluated" ? `Not evaluated (${missingInput}): ${notEvaluatedReason}` : undefined;
  const base = { id, title: `${id}: ${title}`, category: lane, classification: kind };
  if (decides && open !== undefined) return { ...base, passed: false, skipped: open };
  if (decides && status === "violated") {
    const { remediation, source } = finding;
    return {
      ...base,
      passed: false,
      error: message ?? title,
      details: { ...(remediation !== undefined && { remediation }), source: source.url },
    };
  }
  const said = open ?? (status === "violated" || status === "informational" ? message : undefined);
  return { ...base, passed: true, ...(said !== undefined && { unchecked: [said] }) };
}
