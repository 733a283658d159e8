import type { EvalRun } from "@fettle/contract/evals";
import { describe, expect, test } from "vitest";
import { isOpen, originWords, reasonWords, runWord, sentence, verdictWords } from "./run-words.ts";

/** What of a run the words are made of. */
const run = (fields: object) =>
  ({
    status: "completed",
    result: "passed",
    stopReason: null,
    error: null,
    reasons: [],
    summary: { total: 10, passed: 9, failed: 1, passRate: 0.9, excluded: 0 },
    passCriteria: { minimumPassRate: 80 },
    progress: { settled: 3, total: 10, failed: 0 },
    ...fields,
  }) as unknown as EvalRun;

test.each([
  ["pending", null, true, "info"],
  ["running", null, true, "info"],
  ["cancelled", null, false, "neutral"],
  ["timed_out", null, false, "warn"],
  ["failed", null, false, "warn"],
  ["completed", "passed", false, "good"],
  ["completed", "failed", false, "bad"],
  ["completed", "inconclusive", false, "warn"],
] as const)("a run that is %s and %s: open %s, in the tone %s", (status, result, open, tone) => {
  expect(isOpen({ status })).toBe(open);
  expect(runWord({ status, result }).tone).toBe(tone);
});

describe("the verdict in a sentence", () => {
  test.each([
    ["that waits", { status: "pending" }, "It waits for a worker."],
    ["that goes on", { status: "running" }, "3 of 10 repetitions are done."],
    [
      "that goes on and has failed already",
      { status: "running", progress: { settled: 3, total: 10, failed: 2 } },
      "3 of 10 repetitions are done, 2 of them failed.",
    ],
    ["that ended", {}, "9 of 10 repetitions passed; 80 % must."],
    [
      "of which all must pass",
      { passCriteria: { minimumPassRate: 100 } },
      "9 of 10 repetitions passed; all must.",
    ],
    ["that was stopped", { status: "cancelled", stopReason: "user_cancelled" }, "Somebody canceled it."],
    [
      "with an error of its own, which goes before the usual words",
      { status: "failed", stopReason: "internal_error", error: "The disk is full." },
      "The disk is full.",
    ],
    [
      "that shows nothing, with all reasons",
      { result: "inconclusive", reasons: ["noGradeableTrials", "the model was away"] },
      "No repetition came to a result. The model was away.",
    ],
    [
      "that shows nothing, without a reason",
      { result: "inconclusive" },
      "It ended without a verdict: nothing was shown either way.",
    ],
    ["without a summary", { summary: null }, "It ended without a verdict: nothing was shown either way."],
  ])("of a run %s", (_, fields, words) => {
    expect(verdictWords(run(fields))).toBe(words);
  });
});

test.each([
  ["caseHasNoEligibleTrials", "A case has no result at all."],
  ["other reason", "Other reason."],
])("the reason %s is told as: %s", (reason, words) => {
  expect(reasonWords(reason)).toBe(words);
});

test.each([
  ["the end", "The end."],
  ["get_order failed", "get_order failed."],
  ["Done!", "Done!"],
  ["and so on…", "And so on…"],
])("%s, as a sentence: %s", (text, words) => {
  expect(sentence(text)).toBe(words);
});

test.each([
  [{ source: "api", launcher: { kind: "cli" } }, "the command line"],
  [{ source: "api", launcher: { kind: "github_action" } }, "a GitHub action"],
  [{ source: "schedule", launcher: null }, "its schedule"],
])("where a run came from: %j", (origin, words) => {
  expect(originWords(origin as Parameters<typeof originWords>[0])).toBe(words);
});
