import type { ActionableFinding } from "@fettle/contract/insights";
import { expect, test } from "vitest";
import { confidenceOf, inOrder, severityOf, severityScore } from "./severity.ts";

test.each([
  [1, 6, 10, 81, "high"],
  [0.75, 5, 10, 64, "medium"],
  [0.5, 3, 15, 40, "low"],
  [0, 2, 20, 8, "info"],
] as const)("weight %d, %d of %d: %d, %s", (weight, count, total, score, level) => {
  expect(severityScore({ weight, count, total })).toBe(score);
  const weighed = { weight, count, total, actionability: "ready", hasGatingFailure: false } as const;
  expect(severityOf(weighed)).toBe(level);
});

test("what is only told is never more than low, and what failed a gate never less than medium", () => {
  const weighed = { weight: 1, count: 9, total: 10, hasGatingFailure: true } as const;
  expect(severityOf({ ...weighed, actionability: "informational" })).toBe("low");
  expect(severityOf({ ...weighed, weight: 0, count: 1, total: 100, actionability: "ready" })).toBe("medium");
});

test.each([
  [5, true, false, "high"],
  [5, true, true, "medium"],
  [4, true, false, "medium"],
  [3, false, false, "medium"],
  [2, false, false, "low"],
] as const)("%d units, proven %s, little seen %s: %s", (count, isProven, lowConfidence, confidence) => {
  expect(confidenceOf({ count }, { isProven, lowConfidence })).toBe(confidence);
});

test("ready server fixes first, then by score, then by id", () => {
  const made = (id: string, score: number, actionTarget: string, actionability: string) => ({
    score,
    finding: { id, actionTarget, actionability } as ActionableFinding,
  });
  const ordered = inOrder([
    made("rf_6", 99, "environment", "ready"),
    made("rf_5", 90, "investigate", "investigate"),
    made("rf_4", 90, "eval_case", "ready"),
    made("rf_3", 90, "mcp_server", "investigate"),
    made("rf_2", 40, "mcp_server", "ready"),
    made("rf_1", 40, "mcp_server", "ready"),
    made("rf_0", 80, "mcp_server", "ready"),
    made("rf_7", 100, "mcp_server", "informational"),
  ]);
  expect(ordered.map(({ finding }) => finding.id)).toEqual([
    "rf_0",
    "rf_1",
    "rf_2",
    "rf_3",
    "rf_4",
    "rf_5",
    "rf_7",
    "rf_6",
  ]);
});
