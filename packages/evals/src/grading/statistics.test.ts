import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  detectableCount,
  judgeRegression,
  newcombe,
  passAtK,
  passHatK,
  percentile,
  type Sample,
  wilson,
} from "./statistics.ts";

const of = (passed: number, total: number): Sample => ({ passed, total });

describe("the vectors", () => {
  test.each([
    [of(10, 10), of(8, 10), -0.2, -0.5098, 0.1124, "no_regression"],
    [of(10, 10), of(6, 10), -0.4, -0.6873, -0.0384, "regression"],
    [of(20, 20), of(16, 20), -0.2, -0.416, 0.0005, "no_regression"],
    [of(20, 20), of(15, 20), -0.25, -0.4687, -0.0378, "regression"],
    [of(10, 10), of(7, 10), -0.3, -0.6032, 0.0376, "no_regression"],
    [of(20, 20), of(14, 20), -0.3, -0.519, -0.0768, "regression"],
    [of(50, 50), of(45, 50), -0.1, -0.2136, -0.009, "regression"],
    [of(100, 100), of(97, 100), -0.03, -0.0845, 0.0119, "no_regression"],
    [of(5, 5), of(2, 5), -0.6, -0.8824, -0.0298, "regression"],
    [of(18, 20), of(12, 20), -0.3, -0.5253, -0.0294, "regression"],
  ])("%j to %j", (base, compare, point, lower, upper, verdict) => {
    const { delta, verdict: judged } = judgeRegression(base, compare);
    expect(delta.point).toBeCloseTo(point, 4);
    expect(delta.lower).toBeCloseTo(lower, 4);
    expect(delta.upper).toBeCloseTo(upper, 4);
    expect(judged).toBe(verdict);
  });

  test.each([
    [5, 2],
    [6, 3],
    [8, 4],
    [10, 6],
    [15, 11],
    [20, 15],
    [30, 25],
    [50, 45],
    [100, 95],
  ])("from %i of %i, the first drop that shows", (total, count) => {
    expect(detectableCount(of(total, total), total)).toBe(count);
  });
});

describe("a verdict about a difference", () => {
  test.each([
    ["nothing before", of(0, 0), of(5, 5), {}],
    ["nothing after", of(5, 5), of(0, 0), {}],
    ["nothing at all cannot be unlocked", of(0, 0), of(0, 0), { minSampleSize: 0 }],
    ["four are too few", of(4, 4), of(0, 4), {}],
    ["nine are too few when ten are asked for", of(9, 9), of(0, 9), { minSampleSize: 10 }],
  ])("%s is no data", (_, base, compare, options) => {
    expect(judgeRegression(base, compare, options).verdict).toBe("insufficient_data");
  });

  test("a drop smaller than the asked effect is none", () => {
    expect(judgeRegression(of(50, 50), of(45, 50), { minEffectSize: 0.2 }).verdict).toBe("no_regression");
  });

  test("a drop of exactly the asked effect is one", () => {
    expect(judgeRegression(of(4, 4), of(2, 4), { minSampleSize: 1, minEffectSize: 0.5 }).delta.point).toBe(
      -0.5,
    );
    expect(judgeRegression(of(16, 16), of(8, 16), { minEffectSize: 0.5 }).verdict).toBe("regression");
  });

  test("with few repetitions nothing can be noticed, and that is said", () => {
    expect(detectableCount(of(4, 4), 4)).toBeUndefined();
    expect(detectableCount(of(3, 3), 3, { minSampleSize: 1 })).toBe(0);
  });

  test("the interval holds its point and stays within its range", () => {
    const sample = fc
      .integer({ min: 1, max: 200 })
      .chain((total) => fc.integer({ min: 0, max: total }).map((k) => of(k, total)));
    fc.assert(
      fc.property(sample, sample, (base, compare) => {
        const { point, lower, upper } = newcombe(base, compare);
        expect(lower).toBeGreaterThanOrEqual(-1);
        expect(upper).toBeLessThanOrEqual(1);
        expect(lower - 1e-12).toBeLessThanOrEqual(point);
        expect(upper + 1e-12).toBeGreaterThanOrEqual(point);
      }),
    );
  });
});

describe("rates over repetitions", () => {
  test.each([
    [3, 4, 1, 0.75, 0.75],
    [3, 4, 2, 1, 0.5],
    [3, 4, 4, 1, 0],
    [4, 4, 4, 1, 1],
    [0, 4, 2, 0, 0],
    [5, 10, 3, 11 / 12, 1 / 12],
  ])("%i of %i, k=%i", (passed, total, k, at, hat) => {
    expect(passAtK(of(passed, total), k)).toBeCloseTo(at, 10);
    expect(passHatK(of(passed, total), k)).toBeCloseTo(hat, 10);
  });

  test("more tries than were made are not guessed at", () => {
    expect(passAtK(of(2, 2), 3)).toBeUndefined();
    expect(passHatK(of(2, 2), 3)).toBeUndefined();
  });

  test.each([
    [[], 95, undefined],
    [[5], 95, 5],
    [[4, 1, 3, 2], 50, 2.5],
    [[10, 20], 95, 19.5],
  ])("percentile of %j", (values, percent, expected) => {
    expect(percentile(values, percent)).toBe(expected);
  });

  test("nothing observed is the whole range, and never a rate", () => {
    expect(wilson(0, 0)).toEqual({ point: 0, lower: 0, upper: 1 });
  });
});
