/** @module The arithmetic of outcomes and scores. */
import { expect, test } from "vitest";
import { countOf, isNothingToTest, outcomeOf, pooledConformanceScore, scoreOf, tierOf } from "./score.ts";

const none = { passed: 0, failed: 0, couldNotRun: 0, notApplicable: 0, pending: 0 };

test.each([
  [{ ...none, passed: 3, failed: 1, couldNotRun: 2 }, "failed"],
  [{ ...none, passed: 3, couldNotRun: 1 }, "incomplete"],
  [none, "incomplete"],
  [{ ...none, notApplicable: 2 }, "passed"],
  [{ ...none, passed: 3, notApplicable: 4 }, "passed"],
])("%j is %s", (counts, outcome) => {
  expect(outcomeOf(counts)).toBe(outcome);
});

test.each([
  [none, false],
  [{ ...none, notApplicable: 2 }, true],
  [{ ...none, notApplicable: 2, pending: 1 }, true],
  [{ ...none, notApplicable: 2, passed: 1 }, false],
  [{ ...none, notApplicable: 2, failed: 1 }, false],
  [{ ...none, notApplicable: 2, couldNotRun: 1 }, false],
  [{ ...none, notApplicable: 2, passed: 2, failed: 2 }, false],
  [{ ...none, notApplicable: 2, passed: 2, couldNotRun: 2 }, false],
])("%j is a run without anything to test: %s", (counts, isNothing) => {
  expect(isNothingToTest(counts)).toBe(isNothing);
});

test.each([
  ["MUST", "should"],
  ["schema", "should"],
  ["SHOULD", "should"],
  ["MAY", "may"],
  ["contract", undefined],
  ["inferred", undefined],
] as const)("a finding of %s has the tier %s", (word, tier) => {
  expect(tierOf(word)).toBe(tier);
});

test("each check is counted once, by its status and why it was skipped", () => {
  const counted = [
    { status: "passed" },
    { status: "failed" },
    { status: "skipped", skipReason: "could-not-run" },
    { status: "skipped", skipReason: "not-applicable" },
    { status: "skipped" },
  ] as const;
  expect(countOf(counted)).toEqual({ ...none, passed: 1, failed: 1, couldNotRun: 2, notApplicable: 1 });
});

test("100 is for a run where everything ran, passed and nothing was advised", () => {
  expect(scoreOf({ ...none, passed: 40 }, []).score).toBe(100);
  expect(scoreOf({ ...none, passed: 40 }, [{ id: "a", tier: "may" }]).score).toBe(99);
  expect(scoreOf({ ...none, passed: 999, couldNotRun: 1 }, []).score).toBe(94);
  expect(scoreOf({ ...none, passed: 1, failed: 1 }, []).score).toBe(53);
  expect(scoreOf({ ...none, notApplicable: 5 }, []).score).toBeNull();
});

test("advice costs five points at most", () => {
  const advisories = Array.from({ length: 9 }, (_, index) => ({ id: `a${index}`, tier: "should" as const }));
  expect(scoreOf({ ...none, passed: 10 }, advisories)).toMatchObject({ score: 95, advicePointsLost: 5 });
});

test("pending checks count for nothing", () => {
  expect(countOf([{ status: "failed", pending: true }, { status: "passed" }])).toEqual({
    ...none,
    passed: 1,
    pending: 1,
  });
});

test("a pool sums the counts of its parts and names a version only when all parts agree", () => {
  const first = scoreOf({ ...none, passed: 9 }, [], { protocolVersion: "2025-11-25" });
  const second = scoreOf({ ...none, failed: 1 }, [], { protocolVersion: "2025-11-25" });
  const idle = scoreOf({ ...none, notApplicable: 1 }, [], { protocolVersion: "2026-07-28" });
  expect(pooledConformanceScore([first, second, idle])).toMatchObject({
    outcome: "failed",
    applicable: 10,
    score: 91,
    protocolVersion: "2025-11-25",
  });
  const other = scoreOf({ ...none, passed: 1 }, [], { protocolVersion: "2026-07-28" });
  expect(pooledConformanceScore([first, other])).not.toHaveProperty("protocolVersion");
});

test("a pool of which one part had no server to the end has no score", () => {
  const whole = scoreOf({ ...none, passed: 9 }, []);
  const gone = scoreOf({ ...none, passed: 1 }, [], { hasOutage: true });
  const idle = scoreOf({ ...none, notApplicable: 1 }, []);
  expect(gone.score).toBeNull();
  expect(pooledConformanceScore([whole, gone])).toMatchObject({ score: null, passed: 10 });
  expect(pooledConformanceScore([whole, idle]).score).toBe(100);
});
