/** @module Several runs of the protocol suite, and the report that one or more of them make for files and CI. */
import type { Target } from "@fettle/mcp";
import { type RunReport, suiteReportOf, worstOutcome } from "../verdict/run-report.ts";
import { pooledConformanceScore } from "../verdict/score.ts";
import { type SuiteReport, summaryOf } from "../verdict/suite-report.ts";
import { type ProtocolOptions, runProtocol } from "./run-protocol.ts";

export interface ProtocolSuiteRun {
  label: string;
  target: Target;
  options: ProtocolOptions;
}

export interface LabelledReport extends RunReport {
  label: string;
  serverUrl?: string;
}

export interface ProtocolSuiteResult {
  name: string;
  passed: boolean;
  outcome: RunReport["outcome"];
  serverUrl?: string;
  results: LabelledReport[];
  summary: string;
  durationMs: number;
}

/** One after the other, in order: they are about one server, which should not have to serve two at once. */
export async function runProtocolSuite(
  name: string,
  runs: readonly ProtocolSuiteRun[],
  judge: (run: ProtocolSuiteRun) => Promise<RunReport> = ({ target, options }) =>
    runProtocol(target, options),
): Promise<ProtocolSuiteResult> {
  const started = performance.now();
  const results: LabelledReport[] = [];
  for (const run of runs) {
    results.push({ label: run.label, ...(await judge(run)) });
  }
  const pooled = pooledConformanceScore(results.map(({ score }) => score));
  const outcome = worstOutcome(results);
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

/** Several runs as one. */
export function protocolSuiteReportOfAll({ name, results }: ProtocolSuiteResult): SuiteReport {
  return suiteReportOf(
    "protocol",
    name,
    results.map((report) => ({ label: report.label, report })),
  );
}
