/** @module A run that found no server to judge, as a report: whole, incomplete, without a score, and never a verdict. */
import type { CheckResult } from "./check-result.ts";
import { type RunReport, runReportOf } from "./run-report.ts";
import type { SuiteKind } from "./suite-report.ts";

export interface Outage {
  code: string;
  message: string;
  details?: unknown;
}

export interface UnstartedRun extends RunReport {
  error: Outage;
}

/**
 * @example
 * unstartedRunOf("protocol", "http://127.0.0.1:9/mcp", { code: "SERVER_UNREACHABLE", message: "Nothing listens there." });
 */
export function unstartedRunOf(
  kind: SuiteKind,
  target: string,
  error: Outage,
  { durationMs = 0, protocolVersion }: { durationMs?: number; protocolVersion?: string | undefined } = {},
): UnstartedRun {
  const start: CheckResult = {
    id: `${kind}-suite-start`,
    category: "start",
    title: "The suite can start",
    description: "A server answers, and lets the suite in.",
    status: "skipped",
    skipReason: "could-not-run",
    isOutage: true,
    durationMs: Math.round(durationMs),
    error,
  };
  const report = runReportOf({
    target,
    protocolVersion: protocolVersion ?? "not agreed",
    transport: /^https?:\/\//.test(target) ? "streamable-http" : "stdio",
    results: [start],
    durationMs,
  });
  const { protocolVersion: _unknown, ...score } = report.score;
  return { ...report, incompleteReason: `The ${kind} suite could not start: ${error.message}`, score, error };
}
