/** @module What a gate asks of a run, and which askings make no sense. */

import type { RegressionOptions } from "../grading/statistics.ts";
import type { RunFacts } from "./run-facts.ts";

/** Fractions, never percents: the flags divide by 100 where they are read. */
export interface GatePolicy {
  /** The run's own result: what a gate asks when it is told nothing else. */
  runMustPass?: boolean;
  minimumPassRate?: number;
  maximumTotalTokens?: number;
  maximumP95LatencyMs?: number;
  noGatingScoreErrors?: boolean;
  minimumScorerPassRate?: Readonly<Record<string, number>>;
  minimumMeanScore?: Readonly<Record<string, number>>;
  caseMustPass?: readonly string[];
  /** Implied by a baseline. */
  regression?: RegressionOptions;
  noDeterministicRegressions?: boolean;
  maximumP95LatencyIncreaseMs?: number;
}

/** Everything that makes a policy unusable on this run; each is a mistake of whoever asked. */
export function policyFaults(
  policy: GatePolicy,
  run: RunFacts,
  baseline: RunFacts | null | undefined,
): string[] {
  const faults: string[] = [];
  const inUnit = (name: string, value: number | undefined) => {
    if (value !== undefined && !(value >= 0 && value <= 1))
      faults.push(`${name} is no share: 0 to 100 percent.`);
  };
  const atLeastZero = (name: string, value: number | undefined) => {
    if (value !== undefined && !(Number.isFinite(value) && value >= 0))
      faults.push(`${name} must be 0 or more.`);
  };
  inUnit("minimumPassRate", policy.minimumPassRate);
  inUnit("minEffectSize", policy.regression?.minEffectSize);
  atLeastZero("minSampleSize", policy.regression?.minSampleSize);
  atLeastZero("maximumTotalTokens", policy.maximumTotalTokens);
  atLeastZero("maximumP95LatencyMs", policy.maximumP95LatencyMs);
  atLeastZero("maximumP95LatencyIncreaseMs", policy.maximumP95LatencyIncreaseMs);
  const definitions = run.cases.flatMap((item) => item.definitions);
  for (const [name, wanted] of [
    ["minimumScorerPassRate", policy.minimumScorerPassRate],
    ["minimumMeanScore", policy.minimumMeanScore],
  ] as const) {
    for (const [scorerId, value] of Object.entries(wanted ?? {})) {
      inUnit(`${name} of ${scorerId}`, value);
      const known = definitions.filter((one) => one.scorerId === scorerId);
      if (known.length === 0) faults.push(`The run has no scorer "${scorerId}".`);
      else if (known.some(({ idSource }) => idSource === "generated")) {
        faults.push(`"${scorerId}" is a place in a list and no name; a gate cannot hold on to it.`);
      }
    }
  }
  if (baseline) {
    if (baseline.id === run.id) faults.push("A run cannot be its own baseline.");
    if (baseline.suite.id !== run.suite.id) {
      faults.push(`These are runs of two suites: "${baseline.suite.id}" and "${run.suite.id}".`);
    }
    return faults;
  }
  // One was asked for and cannot be read: that is no mistake of whoever asked.
  if (baseline === null) return faults;
  if (
    policy.regression !== undefined ||
    policy.noDeterministicRegressions === true ||
    policy.maximumP95LatencyIncreaseMs !== undefined
  ) {
    faults.push("This policy compares, and there is no baseline to compare with.");
  }
  return faults;
}

/** Whether anything is asked at all. */
export function isEmptyPolicy({ regression: _regression, ...asked }: GatePolicy): boolean {
  return Object.values(asked).every(
    (value) =>
      value === undefined ||
      value === false ||
      (typeof value === "object" && Object.keys(value).length === 0),
  );
}
