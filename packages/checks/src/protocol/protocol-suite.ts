/** @module Several runs of the protocol suite, and the report that one or more of them make for files and CI. */
import type { Target } from "@fettle/mcp";
import type { Outcome } from "../verdict/score.ts";
import { advisoriesOf, pooledConformanceScore } from "../verdict/score.ts";
import { type SuiteGroup, type SuiteReport, summaryOf, toSuiteCase } from "../verdict/suite-report.ts";
import type { ProtocolReport } from "./protocol-report.ts";
import { type ProtocolOptions, runProtocol } from "./run-protocol.ts";

export interface ProtocolSuiteRun {
  label: string;
  target: Target;
  options: ProtocolOptions;
}

export interface LabelledReport extends ProtocolReport {
  label: string;
}

export interface ProtocolSuiteResult {
  name: string;
  passed: boolean;
  outcome: Outcome;
  serverUrl?: string;
  results: LabelledReport[];
  summary: string;
  durationMs: number;
}

/** One after the other, in order: they are about one server, which should not have to serve two at once. */
export async function runProtocolSuite(
  name: string,
  runs: readonly ProtocolSuiteRun[],
): Promise<ProtocolSuiteResult> {
  const started = performance.now();
  const results: LabelledReport[] = [];
  for (const { label, target, options } of runs) {
    results.push({ label, ...(await runProtocol(target, options)) });
  }
  const pooled = pooledConformanceScore(results.map(({ score }) => score));
  const outcome = worstOf(results);
  const serverUrl = results[0]?.serverUrl;
  return {
    name,
    passed: outcome === "passed",
    outcome,
    ...(serverUrl !== undefined && { serverUrl }),
    results,
    summary: `${results.filter(({ passed }) => passed).length} of ${results.length} runs passed: ${summaryOf(pooled)}`,
    durationMs: Math.round(performance.now() - started),
  };
}

/** A run in which nothing was selected has no counts to show, and is incomplete all the same. */
function worstOf(reports: readonly ProtocolReport[]): Outcome {
  const outcomes = new Set(reports.map(({ outcome }) => outcome));
  return outcomes.has("failed") ? "failed" : outcomes.has("incomplete") ? "incomplete" : "passed";
}

/** One run as a report for files and CI. */
export function protocolSuiteReportOf(report: ProtocolReport): SuiteReport {
  return suiteReport(report.target, [{ label: `Protocol ${report.protocolVersion}`, ...report }]);
}

/** Several runs as one. */
export function protocolSuiteReportOfAll({ name, results }: ProtocolSuiteResult): SuiteReport {
  return suiteReport(name, results);
}

function suiteReport(name: string, reports: readonly LabelledReport[]): SuiteReport {
  const score = pooledConformanceScore(reports.map((report) => report.score));
  const outcome = worstOf(reports);
  const readiness = reports.flatMap((report) => report.readiness);
  const reasons = reports.flatMap(({ label, incompleteReason }) =>
    incompleteReason === undefined
      ? []
      : [reports.length === 1 ? incompleteReason : `${label}: ${incompleteReason}`],
  );
  const [first] = reports;
  return {
    schemaVersion: 1,
    kind: "protocol-conformance",
    name,
    passed: outcome === "passed",
    outcome,
    ...(outcome === "incomplete" && reasons.length > 0 && { incompleteReason: reasons.join(" ") }),
    score,
    ...(first && { profile: first.profile }),
    durationMs: reports.reduce((sum, { durationMs }) => sum + durationMs, 0),
    groups: reports.map(groupOf),
    ...(readiness.length > 0 && {
      advisories: advisoriesOf(readiness).map(({ id, tier }) => {
        const message = readiness.find((advice) => advice.id === id)?.message;
        return { id, tier, ...(message !== undefined && { message }) };
      }),
    }),
  };
}

function groupOf(report: LabelledReport): SuiteGroup {
  return {
    id: report.label,
    title: report.label,
    target: report.target,
    passed: report.passed,
    durationMs: report.durationMs,
    summary: report.summary,
    cases: report.checks.map(toSuiteCase),
  };
}
