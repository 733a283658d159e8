/** @module What a run of the protocol suite says: every check, the tally, the score, and the profile it was judged by. */
import { type Target, targetLabel } from "@fettle/mcp";
import type { Advice, CheckResult } from "../verdict/check-result.ts";
import { isPending, type ProfileStamp, stampOf } from "../verdict/profile.ts";
import { advisoriesOf, countOf, type Outcome, type Score, scoreOf } from "../verdict/score.ts";
import { summaryOf } from "../verdict/suite-report.ts";
import type { ProtocolFacts } from "./protocol-check.ts";
import { protocolProfile } from "./registry.ts";

export interface CategoryTally {
  total: number;
  passed: number;
  failed: number;
  skipped: number;
  couldNotRun: number;
}

export interface ProtocolReport {
  passed: boolean;
  outcome: Outcome;
  incompleteReason?: string;
  /** As people know it: the URL, or the command line. */
  target: string;
  serverUrl?: string;
  protocolVersion: string;
  transport: string;
  checks: CheckResult[];
  summary: string;
  durationMs: number;
  categorySummary: Record<string, CategoryTally>;
  readiness: Advice[];
  score: Score;
  profile: ProfileStamp;
}

export interface ProtocolRunFacts {
  target: Target;
  facts: ProtocolFacts;
  results: readonly CheckResult[];
  advice?: readonly Advice[];
  durationMs: number;
  checkerVersion: string;
  schemaDigest?: string;
}

export function protocolReportOf(run: ProtocolRunFacts): ProtocolReport {
  const { target, facts, results, advice = [] } = run;
  const checks = results.map((result) =>
    isPending(protocolProfile, result.id) ? { ...result, pending: true } : result,
  );
  const score = scoreOf(countOf(checks), advisoriesOf(advice), { protocolVersion: facts.version });
  const incompleteReason = incompleteReasonOf(score, checks);
  return {
    passed: score.outcome === "passed",
    outcome: score.outcome,
    ...(incompleteReason !== undefined && { incompleteReason }),
    target: targetLabel(target),
    ...(target.kind === "http" && { serverUrl: targetLabel(target) }),
    protocolVersion: facts.version,
    transport: facts.transport,
    checks,
    summary: summaryOf(score),
    durationMs: Math.round(run.durationMs),
    categorySummary: categorySummaryOf(checks),
    readiness: [...advice],
    score,
    profile: stampOf(
      protocolProfile,
      checks.map(({ id }) => id),
      {
        checkerVersion: run.checkerVersion,
        protocolVersion: facts.version,
        ...(run.schemaDigest !== undefined && { schemaDigest: run.schemaDigest }),
      },
    ),
  };
}

function incompleteReasonOf(score: Score, checks: readonly CheckResult[]): string | undefined {
  if (score.outcome !== "incomplete") return undefined;
  if (checks.length === 0) return "No check was selected.";
  const waiting = checks.filter(({ skipReason, pending }) => skipReason === "could-not-run" && !pending);
  return `Could not run: ${waiting.map(({ id }) => id).join(", ")}.`;
}

function categorySummaryOf(checks: readonly CheckResult[]): Record<string, CategoryTally> {
  const groups = Object.groupBy(checks, ({ category }) => category);
  return Object.fromEntries(
    Object.entries(groups).map(([category, group = []]) => {
      const of = (holds: (check: CheckResult) => boolean) => group.filter(holds).length;
      return [
        category,
        {
          total: group.length,
          passed: of(({ status }) => status === "passed"),
          failed: of(({ status }) => status === "failed"),
          skipped: of(({ status }) => status === "skipped"),
          couldNotRun: of(({ skipReason }) => skipReason === "could-not-run"),
        },
      ];
    }),
  );
}
