/** @module The numbers behind a gate: intervals for a rate and for the difference of two, and what a number of repetitions can show. */

/** 95 percent, two-sided. */
const z = 1.959963984540054;

export interface Interval {
  point: number;
  lower: number;
  upper: number;
}

const clamp = (value: number, from: number, to: number) => Math.min(to, Math.max(from, value));

/**
 * Wilson's interval for `k` of `n`. Nothing observed says nothing: the whole range.
 *
 * @example
 * wilson(10, 10); // { point: 1, lower: 0.7225, upper: 1 }
 */
export function wilson(k: number, n: number): Interval {
  if (n === 0) return { point: 0, lower: 0, upper: 1 };
  const centre = (k + (z * z) / 2) / (n + z * z);
  const half = (z / (n + z * z)) * Math.sqrt((k * (n - k)) / n + (z * z) / 4);
  return { point: k / n, lower: clamp(centre - half, 0, 1), upper: clamp(centre + half, 0, 1) };
}

export interface Sample {
  passed: number;
  total: number;
}

/** Newcombe's hybrid score interval for the change from `base` to `compare`. */
export function newcombe(base: Sample, compare: Sample): Interval {
  const b = wilson(base.passed, base.total);
  const c = wilson(compare.passed, compare.total);
  const point = c.point - b.point;
  const lower = point - Math.hypot(c.point - c.lower, b.upper - b.point);
  const upper = point + Math.hypot(c.upper - c.point, b.point - b.lower);
  return { point, lower: clamp(lower, -1, 1), upper: clamp(upper, -1, 1) };
}

export interface RegressionOptions {
  /** Of each side; at least 1. */
  minSampleSize?: number;
  /** A fraction: a smaller drop is no regression, however sure. */
  minEffectSize?: number;
}

export type RegressionVerdict = "regression" | "no_regression" | "insufficient_data";

export interface Regression {
  verdict: RegressionVerdict;
  delta: Interval;
}

export const regressionDefaults = { minSampleSize: 5, minEffectSize: 0.01 };

export function judgeRegression(
  base: Sample,
  compare: Sample,
  { minSampleSize, minEffectSize }: RegressionOptions = {},
): Regression {
  const delta = newcombe(base, compare);
  // No option unlocks an empty side: nothing was seen.
  const smallest = Math.max(1, minSampleSize ?? regressionDefaults.minSampleSize);
  if (base.total < smallest || compare.total < smallest) return { verdict: "insufficient_data", delta };
  const effect = minEffectSize ?? regressionDefaults.minEffectSize;
  const dropped = delta.upper < 0 && delta.point <= -effect;
  return { verdict: dropped ? "regression" : "no_regression", delta };
}

/**
 * The largest count of `total` passes that a gate would call a regression from `base`; undefined when even none
 * passing would not show. "With 10 repetitions, a drop to 6 of 10 is the first one a gate can notice."
 */
export function detectableCount(
  base: Sample,
  total: number,
  options: RegressionOptions = {},
): number | undefined {
  for (let passed = total; passed >= 0; passed -= 1) {
    if (judgeRegression(base, { passed, total }, options).verdict === "regression") return passed;
  }
  return undefined;
}

/** Linear between neighbours; undefined of nothing. */
export function percentile(values: readonly number[], percent: number): number | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  const index = (percent / 100) * (sorted.length - 1);
  const at = Math.floor(index);
  const share = index - at;
  const [lower, upper] = [sorted[at], sorted[at + 1]];
  return lower === undefined || upper === undefined ? lower : lower * (1 - share) + upper * share;
}

/** Somebody asks `k` times: how often every try would pass, and how often at least one. */
export interface InARow {
  k: number;
  /** pass^k, with its 95 percent. */
  all: Interval;
  /** pass@k. */
  any: number;
}

/** As often as people try again before they give up. */
const mostInARow = 3;

/**
 * At most half of the tries at once: with all of them the estimate could only be 0 or 1, and would say nothing that the
 * count does not. Null where that is fewer than two.
 */
export function inARow(sample: Sample): InARow | null {
  const k = Math.min(mostInARow, Math.floor(sample.total / 2));
  const [point, any] = [passHatK(sample, k), passAtK(sample, k)];
  if (k < 2 || point === undefined || any === undefined) return null;
  // The chance grows with the rate, so that its bounds are those of the rate.
  const { lower, upper } = wilson(sample.passed, sample.total);
  return { k, all: { point, lower: lower ** k, upper: upper ** k }, any };
}

/** The chance that at least one of `k` tries passes, estimated without bias from `passed` of `total`; undefined with fewer than `k`. */
export function passAtK({ passed, total }: Sample, k: number): number | undefined {
  const noneOf = allOf(total - passed, total, k);
  return noneOf === undefined ? undefined : 1 - noneOf;
}

/** The chance that all of `k` tries pass: what a user meets who asks `k` times. */
export function passHatK({ passed, total }: Sample, k: number): number | undefined {
  return allOf(passed, total, k);
}

/** Of `total` tries `wanted` have a mark: the chance that `k` of them, taken without putting back, all have it. */
function allOf(wanted: number, total: number, k: number): number | undefined {
  if (k < 1 || k > total) return undefined;
  let chance = 1;
  for (let taken = 0; taken < k; taken += 1) chance *= Math.max(0, wanted - taken) / (total - taken);
  return chance;
}
