/** @module What one run of a suite says, whichever suite it was: every check, the tally, the score, and the profile it was judged by. */
import type { CheckResult } from "./check-result.ts";
import { isPending, type Profile, type ProfileStamp, type StampFacts, stampOf } from "./profile.ts";
import { countOf, type Outcome, type Score, scoreOf } from "./score.ts";
import { type SuiteGroup, type SuiteKind, type SuiteReport, summaryOf, toSuiteCase } from "./suite-report.ts";

export interface CategoryTally {
  total: number;
  passed: number;
  failed: number;
  skipped: number;
  couldNotRun: number;
}

export interface RunReport {
  passed: boolean;
  outcome: Outcome;
  incompleteReason?: string;
  /** As people know it: the URL, or the command line. */
  target: string;
  protocolVersion: string;
  transport: string;
  checks: CheckResult[];
  summary: string;
  durationMs: number;
  categorySummary: Record<string, CategoryTally>;
  score: Score;
  profile?: ProfileStamp;
}

export interface RunFacts {
  target: string;
  protocolVersion: string;
  transport: string;
  results: readonly CheckResult[];
  durationMs: number;
  /** Absent: every check counts. */
  profile?: Profile;
  stamp?: StampFacts;
}

/** Each warning of a check is advice that costs a point. */
export function runReportOf(run: RunFacts): RunReport {
  const { profile, stamp, protocolVersion } = run;
  const checks = run.results.map((result) =>
    profile && isPending(profile, result.id) ? { ...result, pending: true } : result,
  );
  const advisories = adviceOf(checks).map(({ id, tier }) => ({ id, tier }));
  const score = scoreOf(countOf(checks), advisories, { protocolVersion });
  const incompleteReason = incompleteReasonOf(score, checks);
  const ids = checks.map(({ id }) => id);
  return {
    passed: score.outcome === "passed",
    outcome: score.outcome,
    ...(incompleteReason !== undefined && { incompleteReason }),
    target: run.target,
    protocolVersion,
    transport: run.transport,
    checks,
    summary: summaryOf(score),
    durationMs: Math.round(run.durationMs),
    categorySummary: categorySummaryOf(checks),
    score,
    ...(profile && stamp && { profile: stampOf(profile, ids, { ...stamp, protocolVersion }) }),
  };
}

function adviceOf(checks: readonly CheckResult[]): { id: string; tier: "may"; message: string }[] {
  return checks.flatMap(({ id, warnings = [] }) => warnings.map((message) => ({ id, tier: "may", message })));
}

function incompleteReasonOf({ outcome }: Score, checks: readonly CheckResult[]): string | undefined {
  if (outcome !== "incomplete") return undefined;
  if (checks.length === 0) return "No check was selected.";
  const waiting = checks.filter(({ skipReason, pending }) => skipReason === "could-not-run" && !pending);
  return waiting.length === 0
    ? "No check of the profile applied."
    : `Could not run: ${waiting.map(({ id }) => id).join(", ")}.`;
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

/** One or several runs as the report that files, CI and the service read; the worst outcome is the suite's. */
export function suiteReportOf(kind: SuiteKind, name: string, runs: readonly NamedRun[]): SuiteReport {
  const outcomes = runs.map(({ report }) => report.outcome);
  const outcome = (["failed", "incomplete"] as const).find((each) => outcomes.includes(each)) ?? "passed";
  const reasons = runs.flatMap(({ report }) => report.incompleteReason ?? []);
  const advisories = runs.flatMap(({ report }) => adviceOf(report.checks));
  const [only] = runs;
  return {
    schemaVersion: 1,
    kind: `${kind}-conformance`,
    name,
    passed: outcome === "passed",
    outcome,
    ...(outcome === "incomplete" && { incompleteReason: reasons.join(" ") }),
    ...(only && runs.length === 1 && { score: only.report.score }),
    ...(only?.report.profile && runs.length === 1 && { profile: only.report.profile }),
    durationMs: runs.reduce((sum, { report }) => sum + report.durationMs, 0),
    groups: runs.map(groupOf),
    ...(advisories.length > 0 && { advisories }),
  };
}

function groupOf({ label, report }: NamedRun): SuiteGroup {
  const { target, passed, durationMs, summary, checks } = report;
  return { id: label, title: label, target, passed, durationMs, summary, cases: checks.map(toSuiteCase) };
}
