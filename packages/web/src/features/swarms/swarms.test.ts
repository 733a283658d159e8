import type { JourneyRunDetail, JourneyRunEstimate } from "@fettle/contract/visitors";
import { expect, test } from "vitest";
import { comparedChecks, differences, points } from "./compare.ts";
import { costWord, goalRate, goalText, stopped, stopWords, summed } from "./run-words.ts";
import { sessionRecording } from "./session-recording.ts";
import { changesOf, createBody, emptyJourney, emptySwarm } from "./values.ts";

test("what stopped a session is said in words, with what was told beside it, and an unknown reason as it is", () => {
  expect(stopWords("spend_cap_exceeded: 3 of 3 dollars")).toBe(
    "The money for the run was used up, so nobody else came anywhere. It was told: 3 of 3 dollars",
  );
  expect(stopWords("stale_runner")).toContain("fell silent");
  expect(stopWords("Error: no such book")).toBe("Error: no such book");
});

test("what stopped a target is counted by its reason, and targets that went well are left out", () => {
  const attempt = (targetId: string, error: string | null) => ({ targetId, targetName: targetId, error });
  const attempts = [attempt("a", "rate_limited"), attempt("a", "rate_limited"), attempt("b", null)];
  expect(stopped({ attempts: attempts as JourneyRunDetail["attempts"] })).toEqual([
    { target: "a", reasons: [{ words: expect.stringContaining("provider"), count: 2 }] },
  ]);
});

test("nothing judged is no rate, and a judge that broke is told apart", () => {
  const goalCompletion = { gradedCount: 0, passedCount: 0, avgScore: null, pendingCount: 1, failedCount: 2 };
  expect(goalRate({ goalCompletion })).toBeNull();
  expect(goalText({ goalCompletion })).toBe("No session was judged, 1 not judged yet, 2 could not be judged");
  expect(goalRate({ goalCompletion: null })).toBeNull();
});

test("a price that is not known makes the sum of several launches unknown", () => {
  const one = (costUsd: number | null, modelCalls = 4): JourneyRunEstimate => ({
    targets: [],
    sessions: 2,
    modelCalls,
    costUsd,
  });
  expect(summed([one(1), one(2)])).toEqual({ sessions: 4, modelCalls: 8, costUsd: 3 });
  expect(costWord(summed([one(1), one(null)]))).toBe("No price known");
  expect(costWord(one(0, 0))).toBe("Free");
  expect(costWord(one(1))).toBe("At most $1.00");
});

test("only what differs is sent, the budget whole, and none as null", () => {
  const before = { ...emptySwarm(), name: "Shop", environmentIds: ["env_1"] };
  expect(changesOf(before, { ...before, maxTurns: 9, environmentIds: [] })).toEqual({
    environmentIds: null,
    sessionsPerTarget: 3,
    maxTurns: 9,
  });
  expect(changesOf(before, { ...before })).toEqual({});
  expect(Object.keys(createBody(emptyJourney())).toSorted()).toEqual([
    "goal",
    "judge",
    "maxTurns",
    "rubric",
    "sessionsPerTarget",
  ]);
});

test("two runs are one experiment only where nothing but the time differs", () => {
  const target = { targetId: "env_1", model: "m", personaDriver: "rules", environmentRevision: 1 };
  const setup = {
    goal: "Find a book",
    persona: { id: "p", name: "Ann", role: "Buyer" },
    rubric: [],
    judge: null,
    maxTurns: 3,
    sessionsPerTarget: 2,
    targetSummaries: [target],
  } as unknown as JourneyRunDetail;
  expect(differences(setup, { ...setup })).toEqual([]);
  const changed = { ...target, model: "n", environmentRevision: 2 };
  expect(
    differences(setup, {
      ...setup,
      goal: "Find two",
      targetSummaries: [changed],
    } as unknown as JourneyRunDetail),
  ).toEqual([
    "the goal was worded differently",
    "an environment was changed between them",
    "another model answered",
  ]);
});

test("a check that only one run had, or that graded nothing, has no change", () => {
  const card = (id: string, passRate: number | null) =>
    ({ criteria: [{ id, label: null, kind: "noToolErrors", passRate }] }) as never;
  expect(comparedChecks(card("a", 1), card("b", null))).toMatchObject([
    { id: "a", base: 1, now: undefined },
    { id: "b", base: undefined, now: null },
  ]);
  expect(points(1, 0.5)).toBe(-50);
  expect(points(null, 1)).toBeNull();
});

test("each call stands with what came of it, and the visitor's last words at the end", () => {
  const { messages, toolCalls } = sessionRecording({
    farewell: "Thank you",
    messages: [
      { role: "user", text: "Hello" },
      {
        role: "assistant",
        parts: [{ type: "tool-call", toolCallId: "1", name: "find", arguments: { q: "a" } }],
      },
      { role: "tool", toolCallId: "1", name: "find", text: "no", isError: true },
    ],
  });
  expect(toolCalls).toMatchObject([{ toolName: "find", arguments: { q: "a" }, isError: true }]);
  expect(messages.at(-1)).toEqual({ role: "user", text: "Thank you" });
});
