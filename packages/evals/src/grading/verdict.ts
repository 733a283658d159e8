/** @module From graded repetitions to a case's verdict and a run's. First whether the run shows anything, then what it shows. */
import type { EvalResult, IterationStatus } from "@fettle/contract/evals";
import { type InARow, type Interval, inARow, wilson } from "./statistics.ts";

/** Why a repetition is in no denominator. */
export const exclusionReasons = [
  "notTerminal",
  "skipped",
  "setupFailed",
  "cancelled",
  "timedOut",
  "executionFailed",
  "evaluatorError",
] as const;
export type ExclusionReason = (typeof exclusionReasons)[number];

export interface Trial {
  status: IterationStatus;
  /** Only a completed one has it. */
  result: "passed" | "failed" | null;
  /** Grading itself broke. */
  evaluatorError?: boolean;
}

const exclusionByStatus: Record<IterationStatus, ExclusionReason | undefined> = {
  pending: "notTerminal",
  running: "notTerminal",
  completed: undefined,
  failed: "executionFailed",
  cancelled: "cancelled",
  timed_out: "timedOut",
  setup_failed: "setupFailed",
  skipped: "skipped",
};

export function exclusionOfTrial({ status, result, evaluatorError }: Trial): ExclusionReason | undefined {
  if (evaluatorError === true) return "evaluatorError";
  return exclusionByStatus[status] ?? (result === null ? "evaluatorError" : undefined);
}

export interface CaseSummary {
  configured: number;
  attempted: number;
  completed: number;
  eligible: number;
  passed: number;
  failed: number;
  excluded: Partial<Record<ExclusionReason, number>>;
  /** Null: nothing was eligible, which is not zero. */
  passRate: number | null;
  /** 95 percent. */
  interval: Interval | null;
  completionRate: number | null;
  stability: number | null;
  /** Both happened in this run. */
  mixed: boolean;
  /** Null: there are too few repetitions to tell. */
  inARow: InARow | null;
  verdict: EvalResult;
}

const notBegun = new Set<IterationStatus>(["pending", "skipped", "cancelled"]);

export function summarizeCase(
  trials: readonly Trial[],
  configured: number,
  passThreshold: number,
): CaseSummary {
  const excluded: Partial<Record<ExclusionReason, number>> = {};
  let passed = 0;
  let failed = 0;
  for (const trial of trials) {
    const reason = exclusionOfTrial(trial);
    if (reason !== undefined) excluded[reason] = (excluded[reason] ?? 0) + 1;
    else if (trial.result === "passed") passed += 1;
    else failed += 1;
  }
  const eligible = passed + failed;
  const attempted = trials.filter(({ status }) => !notBegun.has(status)).length;
  const completed = trials.filter(({ status }) => status === "completed").length;
  const sample = { passed, total: eligible };
  return {
    configured,
    attempted,
    completed,
    eligible,
    passed,
    failed,
    excluded,
    passRate: eligible === 0 ? null : passed / eligible,
    interval: eligible === 0 ? null : wilson(passed, eligible),
    completionRate: attempted === 0 ? null : completed / attempted,
    stability: eligible === 0 ? null : Math.max(passed, failed) / eligible,
    mixed: passed > 0 && failed > 0,
    inARow: inARow(sample),
    verdict: eligible === 0 ? "inconclusive" : passed / eligible >= passThreshold ? "passed" : "failed",
  };
}

export interface Validity {
  minEligibleTrials?: number | undefined;
  minCompletionRate?: number | undefined;
  maxEvaluatorErrorRate?: number | undefined;
}

export const validityDefaults = { minCompletionRate: 0.8, maxEvaluatorErrorRate: 0.1 };

export type ValidityReason =
  | "configuredTrialsNotAttempted"
  | "noGradeableTrials"
  | "eligibleTrialsBelowMinimum"
  | "completionRateBelowMinimum"
  | "completionRateNotMeasured"
  | "evaluatorErrorRateAboveMaximum"
  | "evaluatorErrorRateNotMeasured"
  | "caseHasNoEligibleTrials";

const reasonWord: Record<ValidityReason, string> = {
  noGradeableTrials: "no repetition came to a result",
  configuredTrialsNotAttempted: "not every repetition was begun",
  eligibleTrialsBelowMinimum: "fewer repetitions came to a result than validity.minEligibleTrials asks for",
  completionRateBelowMinimum: "too many repetitions were lost on the way (validity.minCompletionRate)",
  completionRateNotMeasured: "no repetition was begun",
  evaluatorErrorRateAboveMaximum: "too many repetitions could not be judged (validity.maxEvaluatorErrorRate)",
  evaluatorErrorRateNotMeasured: "no repetition was judged",
  caseHasNoEligibleTrials: "a case has no result at all",
};

/** Where there is nothing, everything else is said with it. */
export function reasonsInWords(reasons: readonly string[]): string {
  const told = reasons.includes("noGradeableTrials") ? ["noGradeableTrials"] : reasons;
  const words: Readonly<Record<string, string>> = reasonWord;
  return told.map((reason) => words[reason] ?? reason).join("; ") || "there is no verdict";
}

export interface RunVerdict {
  result: EvalResult;
  /** Of `inconclusive` alone. */
  reasons: ValidityReason[];
  verdictPolicyVersion: 2;
  /** Repetitions that count, and those of them that passed. */
  total: number;
  passed: number;
  failed: number;
  passRate: number | null;
}

export function judgeRun(
  cases: readonly CaseSummary[],
  validity: Validity = {},
  /** A fraction of all repetitions that must pass beside every case's own threshold. */
  minimumPassRate?: number,
): RunVerdict {
  const sum = (of: (one: CaseSummary) => number) => cases.reduce((total, one) => total + of(one), 0);
  const passed = sum((one) => one.passed);
  const total = sum((one) => one.eligible);
  const reasons = invalidReasons(cases, validity, sum);
  const passRate = total === 0 ? null : passed / total;
  const holds =
    cases.every(({ verdict }) => verdict === "passed") &&
    (minimumPassRate === undefined || (passRate !== null && passRate >= minimumPassRate));
  return {
    result: reasons.length > 0 ? "inconclusive" : holds ? "passed" : "failed",
    reasons,
    verdictPolicyVersion: 2,
    total,
    passed,
    failed: total - passed,
    passRate,
  };
}

function invalidReasons(
  cases: readonly CaseSummary[],
  { minEligibleTrials, minCompletionRate, maxEvaluatorErrorRate }: Validity,
  sum: (of: (one: CaseSummary) => number) => number,
): ValidityReason[] {
  const attempted = sum((one) => one.attempted);
  const eligible = sum((one) => one.eligible);
  const reasons: ValidityReason[] = [];
  if (minEligibleTrials === undefined) {
    if (attempted < sum((one) => one.configured)) reasons.push("configuredTrialsNotAttempted");
  } else if (eligible < minEligibleTrials) {
    reasons.push("eligibleTrialsBelowMinimum");
  }
  if (eligible === 0) reasons.push("noGradeableTrials");
  if (attempted === 0) {
    reasons.push("completionRateNotMeasured", "evaluatorErrorRateNotMeasured");
  } else {
    const completion = sum((one) => one.completed) / attempted;
    const errors = sum((one) => one.excluded.evaluatorError ?? 0) / attempted;
    if (completion < (minCompletionRate ?? validityDefaults.minCompletionRate)) {
      reasons.push("completionRateBelowMinimum");
    }
    if (errors > (maxEvaluatorErrorRate ?? validityDefaults.maxEvaluatorErrorRate)) {
      reasons.push("evaluatorErrorRateAboveMaximum");
    }
  }
  if (cases.some((one) => one.eligible === 0)) reasons.push("caseHasNoEligibleTrials");
  return reasons;
}
