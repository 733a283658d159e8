/** @module Several suites on one server as one report: their groups side by side, their scores pooled. */
import { countOf, pooledConformanceScore, type Score, scoreOf } from "./score.ts";
import type { SuiteReport } from "./suite-report.ts";

export interface CombinedReport extends Omit<SuiteReport, "kind" | "profile"> {
  kind: "conformance";
  score: Score;
}

/**
 * @example
 * const { outcome, score, groups } = combinedReportOf(serverUrl, [protocolReport, oauthReport], durationMs);
 */
export function combinedReportOf(
  name: string,
  reports: readonly SuiteReport[],
  durationMs: number,
): CombinedReport {
  const score = pooledConformanceScore(reports.map(scoreOfReport));
  const isNothing = reports.length > 0 && reports.every((report) => report.outcome === "not-applicable");
  const outcome = isNothing ? "not-applicable" : score.outcome;
  const reasons = reports.flatMap(({ incompleteReason }) => incompleteReason ?? []);
  const advisories = reports.flatMap((report) => report.advisories ?? []);
  return {
    schemaVersion: 1,
    kind: "conformance",
    name,
    passed: outcome === "passed",
    outcome,
    ...(outcome === "incomplete" && reasons.length > 0 && { incompleteReason: reasons.join(" ") }),
    score,
    durationMs: Math.round(durationMs),
    groups: reports.flatMap(({ groups }) => groups),
    ...(advisories.length > 0 && { advisories }),
  };
}

/** A suite report of one run carries its score; otherwise its cases are counted. */
function scoreOfReport({ score, groups, advisories = [] }: SuiteReport): Score {
  return (
    score ??
    scoreOf(
      countOf(groups.flatMap(({ cases }) => cases)),
      advisories.map(({ id, tier }) => ({ id, ...(tier && { tier }) })),
    )
  );
}
