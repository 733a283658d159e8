/** @module What a run of the OAuth suite says: each step of the flow, each check after it, and the verdict over both. */
import type { AuthMode, Decision, HttpEntry, OauthVersion, Registration, Verification } from "@fettle/mcp";
import type { CheckResult, CheckStatus, SkipReason } from "../verdict/check-result.ts";
import type { Finding } from "../verdict/rule.ts";
import { advisoriesIn } from "../verdict/run-report.ts";
import { countOf, type Outcome, pooledConformanceScore, type Score, scoreOf } from "../verdict/score.ts";
import { type Advisory, type SuiteGroup, type SuiteReport, summaryOf } from "../verdict/suite-report.ts";

export interface OauthStep {
  /** A step of the flow, or the id of a check. */
  step: string;
  category: "flow" | "verification" | "server" | "grant" | "metadata";
  title: string;
  summary: string;
  status: CheckStatus;
  skipReason?: SkipReason;
  /** Nobody was there to be judged. */
  isOutage?: boolean;
  /** The rule a check went by; steps of the flow have none of their own. */
  rule?: CheckResult["rule"];
  durationMs: number;
  /** What was decided and why, and what was seen on the way. */
  logs: (({ kind: "decision" } & Decision) | { kind: "note"; message: string })[];
  /** The last request of the step. */
  http?: HttpEntry;
  httpAttempts: HttpEntry[];
  error?: { message: string; details?: unknown };
  warnings?: Finding[];
  /** What the step is there for, where it went wrong. */
  teachableMoments?: string[];
}

export interface OauthReport {
  passed: boolean;
  outcome: Outcome | "not-applicable";
  incompleteReason?: string;
  protocolVersion: OauthVersion;
  registrationStrategy: Registration;
  authMode: AuthMode;
  serverUrl: string;
  steps: OauthStep[];
  summary: string;
  score: Score;
  durationMs: number;
  verification?: Verification;
}

export interface OauthRunFacts {
  protocolVersion: OauthVersion;
  registration: Registration;
  authMode: AuthMode;
  serverUrl: string;
  steps: OauthStep[];
  durationMs: number;
  verification?: Verification | undefined;
}

export function oauthReportOf(run: OauthRunFacts): OauthReport {
  const { steps, protocolVersion, registration, authMode, serverUrl, verification } = run;
  const hasOutage = steps.some((step) => step.isOutage);
  const advisories = oauthAdvisories(steps).map(({ id, tier }) => ({ id, ...(tier && { tier }) }));
  const score = scoreOf(countOf(steps), advisories, { protocolVersion, hasOutage });
  const isOpen = steps.length === 1 && steps[0]?.skipReason === "not-applicable";
  const outcome = isOpen ? "not-applicable" : score.outcome;
  const waiting = steps.filter(({ skipReason }) => skipReason === "could-not-run");
  return {
    passed: outcome === "passed",
    outcome,
    ...(outcome === "incomplete" && {
      incompleteReason:
        steps.find((step) => step.isOutage)?.summary ??
        `Could not run: ${waiting.map(({ step }) => step).join(", ")}.`,
    }),
    protocolVersion,
    registrationStrategy: registration,
    authMode,
    serverUrl,
    steps,
    summary: isOpen ? "Nothing to test: the server asks for no token." : summaryOf(score),
    score,
    durationMs: Math.round(run.durationMs),
    ...(verification && { verification }),
  };
}

function oauthAdvisories(steps: readonly OauthStep[]): Advisory[] {
  return advisoriesIn({
    checks: steps.map(({ step, warnings }) => ({ id: step, ...(warnings && { warnings }) })),
  });
}

/** One run as the group of a suite report. */
function oauthGroupOf(report: OauthReport, label?: string): SuiteGroup {
  const { protocolVersion, registrationStrategy, authMode, serverUrl, steps } = report;
  const id = label ?? `${protocolVersion} ${registrationStrategy} ${authMode}`;
  return {
    id,
    title: label ?? `OAuth ${id}`,
    target: serverUrl,
    passed: report.passed,
    durationMs: report.durationMs,
    summary: report.summary,
    cases: steps.map((step) => ({
      id: step.step,
      title: step.title,
      category: step.category,
      status: step.status,
      ...(step.skipReason && { skipReason: step.skipReason }),
      ...(step.isOutage && { isOutage: true }),
      durationMs: step.durationMs,
      description: step.summary,
      ...(step.rule && { rule: step.rule }),
      ...(step.error && { error: step.error }),
      ...(step.warnings && { warnings: step.warnings }),
    })),
  };
}

export interface LabelledReport extends OauthReport {
  label?: string;
}

export interface OauthSuiteResult {
  name: string;
  serverUrl: string;
  passed: boolean;
  outcome: OauthReport["outcome"];
  results: LabelledReport[];
  summary: string;
  durationMs: number;
}

/** The worst of its runs: failed over incomplete over passed. */
export function oauthSuiteResultOf(
  { name, serverUrl }: { name: string; serverUrl: string },
  results: LabelledReport[],
  durationMs: number,
): OauthSuiteResult {
  const outcome = worst(results.map((result) => result.outcome));
  const passed = results.filter((result) => result.passed).length;
  return {
    name,
    serverUrl,
    passed: outcome === "passed",
    outcome,
    results,
    summary: `${passed} of ${results.length} flows passed`,
    durationMs: Math.round(durationMs),
  };
}

export function oauthSuiteReportOf(
  name: string,
  results: readonly LabelledReport[],
  durationMs: number,
): SuiteReport {
  const outcome = worst(results.map((result) => result.outcome));
  const advisories = results.flatMap(({ steps }) => oauthAdvisories(steps));
  const [incomplete] = results.flatMap(({ incompleteReason }) => incompleteReason ?? []);
  return {
    schemaVersion: 1,
    kind: "oauth-conformance",
    name,
    passed: outcome === "passed",
    outcome,
    ...(incomplete !== undefined && outcome === "incomplete" && { incompleteReason: incomplete }),
    score: pooledConformanceScore(results.map(({ score }) => score)),
    durationMs: Math.round(durationMs),
    groups: results.map((result) => oauthGroupOf(result, result.label)),
    ...(advisories.length > 0 && { advisories }),
  };
}

function worst(outcomes: readonly OauthReport["outcome"][]): OauthReport["outcome"] {
  const order = ["failed", "incomplete", "passed", "not-applicable"] as const;
  return order.find((outcome) => outcomes.includes(outcome)) ?? "incomplete";
}
