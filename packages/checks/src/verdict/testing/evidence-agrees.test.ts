/** @module The comparison of marks and evidence notices each way in which they can disagree. */
import { expect, test } from "vitest";
import { disagreementsOf, wrongMarksIn } from "./evidence-agrees.ts";

const good = {
  id: "a",
  status: "passed" as const,
  details: { items: 3, evidence: [{ said: "not -32602" }] },
};
const advised = { ...good, warnings: [{ word: "SHOULD" as const, message: "shorter" }] };
const failed = { id: "a", status: "failed" as const, error: { message: "a has no name" } };
const skipped = {
  id: "a",
  status: "skipped" as const,
  skipReason: "not-applicable" as const,
  error: { message: "The server does not offer prompts." },
};

test("what agrees is left alone", () => {
  expect(disagreementsOf([good, advised, failed, skipped])).toEqual([]);
});

test.each([
  ["a pass with evidence of a failure", { ...good, details: { said: "answered 200, not -32602" } }],
  ["a pass that says what is missing", { ...good, details: { note: "a has no name" } }],
  ["a pass with an error", { ...good, error: { message: "No name." } }],
  ["a pass that breaks a MUST", { ...good, warnings: [{ word: "MUST" as const, message: "no name" }] }],
  ["a failure without a reason", { id: "a", status: "failed" as const }],
  ["a failure with an empty reason", { ...failed, error: { message: "" } }],
  ["a skip without a reason", { id: "a", status: "skipped" as const, skipReason: "could-not-run" as const }],
  ["a skip that advises", { ...skipped, warnings: [{ word: "MAY" as const, message: "shorter" }] }],
])("%s is noticed", (_, check) => {
  expect(disagreementsOf([check])).toHaveLength(1);
});

test.each([
  ["  ✓ a  Has names", good, 0],
  ["  ~ a  Has names", advised, 0],
  ["  ✗ a  a has no name", failed, 0],
  ["  · a  The server does not offer prompts.", skipped, 0],
  ["  ✓ a  Has names", advised, 1],
  ["  ~ a  Has names", good, 1],
  ["  ✓ a  Has names", failed, 1],
  ["  ✗ a  Has names", good, 1],
  ["  ✓ a  answered 200, not -32602", good, 1],
  ["  ✓ a  Has no sessions", { ...good, title: "Has no sessions" }, 0],
  ["  ✓ ab  Another check", failed, 0],
])("%s", (line, check, wrong) => {
  expect(wrongMarksIn(line, [check])).toHaveLength(wrong);
});
