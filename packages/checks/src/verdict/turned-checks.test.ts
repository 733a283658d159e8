import { expect, test } from "vitest";
import { turnedChecks } from "./turned-checks.ts";

type State = "passed" | "failed" | "could-not-run" | "not-applicable";
const check = (id: string, state: State) => ({
  id,
  title: `Check ${id}`,
  ...(state === "passed" || state === "failed"
    ? { status: state }
    : { status: "skipped" as const, skipReason: state }),
});
const report = (...groups: Record<string, State>[]) => ({
  groups: groups.map((states) => ({ cases: Object.entries(states).map(([id, state]) => check(id, state)) })),
});

test.each([
  ["passed", "failed", "worse"],
  ["failed", "passed", "better"],
  ["could-not-run", "failed", "worse"],
  ["failed", "could-not-run", "other"],
  ["failed", "not-applicable", "other"],
  ["passed", "could-not-run", "other"],
  ["not-applicable", "passed", "other"],
] as const)("a check that was %s and is %s turned %s", (from, to, turn) => {
  expect(turnedChecks(report({ a: from, b: "passed" }), report({ a: to, b: "passed" }))).toEqual({
    turned: [{ id: "a", title: "Check a", from, to, turn }],
    same: 1,
  });
});

test("a check that only one of the two has is told, a failed new one as worse", () => {
  const { turned } = turnedChecks(report({ old: "failed" }), report({ new: "failed" }));
  expect(turned).toMatchObject([
    { id: "new", from: null, to: "failed", turn: "worse" },
    { id: "old", from: "failed", to: null, turn: "other" },
  ]);
});

test("a check in several groups counts by the gravest, whatever the groups are called", () => {
  const before = report({ a: "passed" }, { a: "failed" });
  expect(turnedChecks(before, report({ a: "failed" }))).toEqual({ turned: [], same: 1 });
});
