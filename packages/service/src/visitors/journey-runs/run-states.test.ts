import { type AttemptState, attemptStates } from "@fettle/contract/visitors";
import { expect, test } from "vitest";
import { comesFrom, displayStatus, settledStatus } from "./run-states.ts";

const moves: [AttemptState, AttemptState, "worker" | "finaliser"][] = [
  ["pending", "running", "worker"],
  ["running", "succeeded", "worker"],
  ["running", "failed", "worker"],
  ["running", "rate_limited", "worker"],
  ["running", "pending", "worker"],
  ["running", "pending", "finaliser"],
  ["pending", "failed", "finaliser"],
  ["pending", "rate_limited", "finaliser"],
  ["running", "failed", "finaliser"],
];

test("an attempt moves in these ways and in no other", () => {
  const possible = attemptStates.flatMap((to) =>
    (["worker", "finaliser"] as const).flatMap((by) => comesFrom(to, by).map((from) => [from, to, by])),
  );
  expect(new Set(possible.map(String))).toEqual(new Set(moves.map(String)));
});

test.each<[AttemptState[], string | undefined]>([
  [["succeeded", "running"], undefined],
  [["pending"], undefined],
  [["succeeded", "succeeded"], "completed"],
  [["succeeded", "failed"], "partial"],
  [["succeeded", "rate_limited"], "partial"],
  [["rate_limited", "rate_limited"], "rate_limited"],
  [["rate_limited", "failed"], "failed"],
  [["failed"], "failed"],
  [[], "failed"],
])("attempts %j settle a run as %s", (attempts, status) => {
  expect(settledStatus(attempts)).toBe(status);
});

test("a cancelled run is shown as that", () => {
  expect(displayStatus({ status: "failed", canceled: true })).toBe("canceled");
  expect(displayStatus({ status: "failed", canceled: false })).toBe("failed");
});
