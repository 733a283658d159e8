/** @module What one run of a suite says, whichever suite it was: every check, the tally, the score, and the profile it was judged by. */
import type { Advice, CheckResult } from "./check-result.ts";
import { isPending, type Profile, type ProfileStamp, stampOf } from "./profile.ts";
import { countOf, isNothingToTest, pooledConformanceScore, type Score, scoreOf, tierOf } from "./score.ts";
import {
  type Advisory,
  type SuiteGroup,
  type SuiteKind,
  type SuiteReport,
  summaryOf,
} from "./suite-report.ts";

export interface CategoryTally {
  total: number;
  passed: number;
  failed: number;
  skipped: number;
  couldNotRun: number;
}

export interface RunReport {
  passed: boolean;
  /** `not-applicable`: there was nothing to test. */
  outcome: SuiteReport["outcome"];
  incompleteReason?: string;
  /** As people know it: the URL, or the command line. */
  target: string;
  protocolVersion: string;
  transport: string;
  checks: CheckResult[];
  summary: string;
  durationMs: number;
  categorySummary: Record<string, CategoryTally>;
  /** Advice beside the checks, where a suite has such. */
  readiness?: Advice[];
  score: Score;
  profile?: ProfileStamp;
}

export interface RunFacts {
  target: string;
  protocolVersion: string;
  transport: string;
  results: readonly CheckResult[];
  advice?: readonly Advice[];
  durationMs: number;
  /** Absent: every check counts. */
  profile?: Profile;
  schemaDigest?: string | undefined;
}

export function runReportOf(run: RunFacts): RunReport {
  const { profile, schemaDigest, protocolVersion, advice } = run;
  const checks = run.results.map((result) =>
    profile && isPending(profile, result.id) ? { ...result, pending: true } : result,
  );
  const advisories = advisoriesIn({ checks, readiness: advice }).map(({ id, tier }) => ({
    id,
    ...(tier && { tier }),
  }));
  const hasOutage = checks.some(({ isOutage }) => isOutage);
  const score = scoreOf(countOf(checks), advisories, { protocolVersion, hasOutage });
  const outcome = isNothingToTest(score) ? "not-applicable" : score.outcome;
  const incompleteReason = incompleteReasonOf(score, checks);
  const ids = checks.map(({ id }) => id);
  return {
    passed: outcome === "passed",
    outcome,
    ...(incompleteReason !== undefined && { incompleteReason }),
    target: run.target,
    protocolVersion,
    transport: run.transport,
    checks,
    summary: outcome === "not-applicable" ? nothingToTest(checks) : summaryOf(score),
    durationMs: Math.round(run.durationMs),
    categorySummary: categorySummaryOf(checks),
    ...(advice && { readiness: [...advice] }),
    score,
    ...(profile && {
      profile: stampOf(profile, ids, {
        ...(schemaDigest !== undefined && { schemaDigest }),
        protocolVersion,
      }),
    }),
  };
}

function nothingToTest(checks: readonly CheckResult[]): string {
  const reasons = new Set(checks.flatMap(({ error }) => error?.message ?? []));
  const [only] = reasons;
  const why = reasons.size === 1 ? ` ${only}` : "";
  return `Nothing to test: none of ${checks.length} checks applies.${why}`;
}

/** Everything that is advised; what costs points has a tier, by its word. */
export function advisoriesIn(run: {
  checks: readonly Pick<CheckResult, "id" | "warnings">[];
  readiness?: readonly Advice[] | undefined;
}): Advisory[] {
  const warned = run.checks.flatMap(({ id, warnings = [] }) =>
    warnings.map(({ word, message }) => ({ id, word, message })),
  );
  const advised = (run.readiness ?? []).map(({ id, rule, message }) => ({ id, word: rule.word, message }));
  return [...warned, ...advised].map((advice) => {
    const tier = tierOf(advice.word);
    return { ...advice, ...(tier && { tier }) };
  });
}

function incompleteReasonOf({ outcome }: Score, checks: readonly CheckResult[]): string | undefined {
  if (outcome !== "incomplete") return undefined;
  if (checks.length === 0) return "No check was selected.";
  const away = checks.find(({ isOutage }) => isOutage);
  if (away?.error) return away.error.message;
  const waiting = checks.filter(({ skipReason, pending }) => skipReason === "could-not-run" && !pending);
  return waiting.length === 0 ? "No check of the profile applied." : couldNotRunReason(waiting);
}

/** One cause that stopped several is worth more than the names of all. */
function couldNotRunReason(waiting: readonly CheckResult[]): string {
  const [first] = waiting;
  const cause = first?.error?.message;
  const isOne = waiting.length > 2 && waiting.every(({ error }) => error?.message === cause);
  if (isOne && cause !== undefined) return `${waiting.length} checks could not run: ${cause}`;
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

export interface NamedRun {
  /** What the run is called in its suite. */
  label: string;
  report: RunReport;
}

/** The worst of several. A run in which nothing was selected has no counts to show, and is incomplete all the same. */
export function worstOutcome(runs: readonly Pick<RunReport, "outcome">[]): RunReport["outcome"] {
  const order = ["failed", "incomplete", "passed", "not-applicable"] as const;
  return order.find((outcome) => runs.some((run) => run.outcome === outcome)) ?? "incomplete";
}

/** One or several runs as the report that files, CI and the service read. */
export function suiteReportOf(kind: SuiteKind, name: string, runs: readonly NamedRun[]): SuiteReport {
  const reports = runs.map(({ report }) => report);
  const outcome = worstOutcome(reports);
  const reasons = runs.flatMap(({ label, report: { incompleteReason } }) =>
    incompleteReason === undefined
      ? []
      : [runs.length === 1 ? incompleteReason : `${label}: ${incompleteReason}`],
  );
  const advisories = reports.flatMap(advisoriesIn);
  const profile = reports[0]?.profile;
  return {
    schemaVersion: 1,
    kind: `${kind}-conformance`,
    name,
    passed: outcome === "passed",
    outcome,
    ...(outcome === "incomplete" && reasons.length > 0 && { incompleteReason: reasons.join(" ") }),
    score: pooledConformanceScore(reports.map(({ score }) => score)),
    ...(profile && { profile }),
    durationMs: reports.reduce((sum, { durationMs }) => sum + durationMs, 0),
    groups: runs.map(groupOf),
    ...(advisories.length > 0 && { advisories }),
  };
}

function groupOf({ label, report }: NamedRun): SuiteGroup {
  const { target, passed, durationMs, summary, checks } = report;
  return { id: label, title: label, target, passed, durationMs, summary, cases: checks };
}
