/** @module `npm run bench -- --compare` tells a change from noise. */
import { expect, test } from "vitest";
import { inRounds, type Row } from "../bench/bench.ts";
import { compareReports, compareRows } from "../bench/compare.ts";
import { reportOf } from "../bench/report.ts";

/** Rounds around a middle, as far apart as a busy machine makes them. */
const around = (middle: number, noise: number) =>
  [-1, -0.6, -0.3, -0.1, 0, 0.1, 0.3, 0.6, 1].map((share) => middle * (1 + share * noise));

const atMost = (rounds: number[], unit = "x"): Row =>
  inRounds({ what: "ratio", unit, rounds, goal: { atMost: 2 } });
const atLeast = (rounds: number[]): Row =>
  inRounds({ what: "share", unit: "x", rounds, goal: { atLeast: 1 } });

const verdict = (before: Row, now: Row) => compareRows("live", before, now).verdict;

test("a figure that grew beyond its noise is worse where less is better, and better where more is", () => {
  expect(verdict(atMost(around(1.5, 0.05)), atMost(around(1.8, 0.05)))).toBe("worse");
  expect(verdict(atMost(around(1.8, 0.05)), atMost(around(1.5, 0.05)))).toBe("better");
  expect(verdict(atLeast(around(1.5, 0.05)), atLeast(around(1.8, 0.05)))).toBe("better");
  expect(verdict(atLeast(around(1.8, 0.05)), atLeast(around(1.5, 0.05)))).toBe("worse");
});

test("a difference that noise explains is no verdict, and a small certain one is none either", () => {
  expect(verdict(atMost(around(1.5, 0.4)), atMost(around(1.6, 0.4)))).toBe("unclear");
  expect(verdict(atMost(around(1.5, 0.001)), atMost(around(1.52, 0.001)))).toBe("same");
});

test("figures without a yardstick, without a goal or with few rounds are shown and not judged", () => {
  const [slow, fast] = [around(30, 0.01), around(10, 0.01)];
  expect(verdict(atMost(fast, "ms"), atMost(slow, "ms"))).toBe("not judged");
  const { goal: _, ...open } = atMost(slow);
  expect(verdict(atMost(fast), open)).toBe("not judged");
  expect(verdict(atMost(fast.slice(0, 4)), atMost(slow))).toBe("not judged");
});

test("rows are found by bench and name, whatever their order; new ones have nothing to compare with", () => {
  const row = (bench: string, what: string, value: number) => ({ bench, what, value, unit: "x" });
  const before = reportOf("1.0.0", [row("live", "p50", 1), row("cli", "p50", 2), row("cli", "gone", 3)]);
  const now = reportOf("1.1.0", [row("cli", "p50", 4), row("cli", "new", 5), row("live", "p50", 6)]);
  expect(compareReports(before, now).map(({ bench, before, now }) => [bench, before, now])).toEqual([
    ["cli", 2, 4],
    ["live", 1, 6],
  ]);
});
