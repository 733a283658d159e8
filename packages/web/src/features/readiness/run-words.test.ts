import {
  observationReasons,
  observationStatuses,
  readinessGrades,
  readinessStatuses,
} from "@fettle/contract/servers";
import { expect, test } from "vitest";
import { observationWords, stateOf, supplyOf } from "./run-words.ts";

test("a run that has ended is told by its grade, one that has none by how far it came", () => {
  const told = readinessStatuses.map((status) => stateOf({ status, overallStatus: null }).word);
  expect(told).toEqual(["Waiting", "Running", "Completed", "Failed", "Cancelled"]);
  const graded = readinessGrades.map((overallStatus) => stateOf({ status: "completed", overallStatus }).word);
  expect(graded).toEqual(["Not ready", "Incomplete", "Ready"]);
});

test("the axis of the model always says whether one looked", () => {
  for (const status of observationStatuses) {
    for (const reason of observationReasons) expect(observationWords({ status, reason })).toMatch(/model/i);
  }
  expect(observationWords({ status: "not-requested", reason: "not_requested" })).toContain("No model looked");
});

test("what is missing without a word of ours is named all the same", () => {
  expect(supplyOf("webkit-browser")).toMatchObject({ name: "webkit-browser" });
});
