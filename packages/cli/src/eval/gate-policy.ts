/** @module The flags of `cloud eval gate` and `cloud eval compare` as a policy, and which of them make no sense; nothing is asked of anybody here. */
import type { GatePolicy } from "@fettle/evals";
import { usageError } from "../cli-error.ts";
import { shellWords } from "../output/shell-words.ts";

export interface TuningFlags {
  minSampleSize: number | undefined;
  minEffectSizePercent: number | undefined;
  gateDeterministicRegressions: boolean;
  maxP95LatencyIncreaseMs: number | undefined;
}

export interface PolicyFlags extends TuningFlags {
  run: string | undefined;
  minPassRatePercent: number | undefined;
  noGatingScoreErrors: boolean;
  minScorerPassRate: readonly string[];
  minMeanScore: readonly string[];
  baseline: string | undefined;
  baselineSha: string | undefined;
}

export type Baseline =
  | { kind: "run"; runId: string }
  | { kind: "commitSha"; sha: string }
  /** The nearest earlier one that has finished. */
  | { kind: "previous" };

export interface Asked {
  runId: string;
  policy: GatePolicy;
  baseline: Baseline | undefined;
}

const percents = 100;

export function readPolicy(flags: PolicyFlags): Asked {
  const { run: runId } = flags;
  if (runId === undefined) throw usageError("--run is required.");
  const baseline = readBaseline(runId, flags);
  const tuning = tuningOf(flags);
  if (!baseline && tuning.length > 0) {
    throw usageError(`${tuning[0]} tunes a comparison, and there is nothing to compare with.`, {
      hint: "Name a run with --baseline, or a commit with --baseline-sha.",
    });
  }
  const { minPassRatePercent: rate } = flags;
  const scorers = byScorer("--min-scorer-pass-rate", flags.minScorerPassRate, percents);
  const means = byScorer("--min-mean-score", flags.minMeanScore, 1);
  const thresholds: GatePolicy = {
    ...(rate !== undefined && { minimumPassRate: rate / percents }),
    ...(flags.noGatingScoreErrors && { noGatingScoreErrors: true }),
    ...(scorers && { minimumScorerPassRate: scorers }),
    ...(means && { minimumMeanScore: means }),
  };
  // Thresholds take the place of the run's own result; a baseline never does.
  const own = Object.keys(thresholds).length > 0 ? thresholds : { runMustPass: true };
  return { runId, baseline, policy: baseline ? { ...own, ...regressionPolicy(flags) } : own };
}

/** No worse than the baseline, as the four settings of a comparison say. */
export function regressionPolicy(flags: TuningFlags): GatePolicy {
  const { minSampleSize, minEffectSizePercent, maxP95LatencyIncreaseMs } = flags;
  return {
    regression: {
      ...(minSampleSize !== undefined && { minSampleSize }),
      ...(minEffectSizePercent !== undefined && { minEffectSize: minEffectSizePercent / percents }),
    },
    noDeterministicRegressions: flags.gateDeterministicRegressions,
    ...(maxP95LatencyIncreaseMs !== undefined && { maximumP95LatencyIncreaseMs: maxP95LatencyIncreaseMs }),
  };
}

function readBaseline(run: string, { baseline, baselineSha }: PolicyFlags): Baseline | undefined {
  if (baseline !== undefined && baselineSha !== undefined) {
    throw usageError("--baseline and --baseline-sha exclude each other.", {
      hint: "Keep the run, or the commit.",
    });
  }
  if (baselineSha !== undefined) return { kind: "commitSha", sha: baselineSha.trim() };
  if (baseline === undefined) return undefined;
  if (/^[0-9a-f]{40}$/i.test(baseline)) {
    throw usageError("--baseline takes a run, and this is a commit.", {
      hint: "Commits go with --baseline-sha",
      nextCommand: shellWords([
        ...["fettle", "cloud", "eval", "gate", "--run", run],
        ...["--baseline-sha", baseline],
      ]),
    });
  }
  if (baseline === run) {
    throw usageError("A run cannot be its own baseline.", { hint: "Name an earlier run with --baseline." });
  }
  return { kind: "run", runId: baseline };
}

/** Those of the four that were typed. */
export function tuningOf(flags: TuningFlags): string[] {
  return [
    flags.minSampleSize !== undefined && "--min-sample-size",
    flags.minEffectSizePercent !== undefined && "--min-effect-size-percent",
    flags.gateDeterministicRegressions && "--gate-deterministic-regressions",
    flags.maxP95LatencyIncreaseMs !== undefined && "--max-p95-latency-increase-ms",
  ].filter((flag) => flag !== false);
}

/** `scorerId=number`, one for each scorer; ids may hold signs of their own, so the last one divides. */
function byScorer(flag: string, typed: readonly string[], whole: number): Record<string, number> | undefined {
  if (typed.length === 0) return undefined;
  const found = new Map<string, number>();
  for (const entry of typed) {
    const at = entry.lastIndexOf("=");
    const [id, digits] = [entry.slice(0, at), entry.slice(at + 1)];
    const value = Number(digits);
    if (at < 1 || digits.trim() === "" || !(value >= 0 && value <= whole)) {
      throw usageError(`${flag} takes scorer=<0 to ${whole}>, not "${entry}".`, {
        hint: "Scorers are those of the run's repetitions, such as step:<id of the step>.",
      });
    }
    if (found.has(id)) throw usageError(`${flag} names "${id}" twice.`, { hint: "Keep one of them." });
    found.set(id, value / whole);
  }
  return Object.fromEntries(found);
}
