/** @module The arithmetic of outcomes and scores. */
import { expect, test } from "vitest";
import { countOf, outcomeOf, pooledConformanceScore, scoreOf } from "./score.ts";

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
