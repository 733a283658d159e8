import { expect, test } from "vitest";
import { suiteReport } from "../../testing/suite-report.ts";
import { tallyOf, tallyRun } from "./tally.ts";

test("a report is counted again, whatever it says of itself", () => {
  expect(tallyOf(suiteReport({ passed: ["a"], failed: ["b"], notApplicable: ["c"] }))).toMatchObject({
    outcome: "failed",
    score: 53,
    applicable: 2,
    notApplicable: 1,
  });
});

test("what the profile's stamp calls pending has no effect, and without a stamp everything counts", () => {
  const stamped = suiteReport({ passed: ["a"], failed: ["new"], pending: ["new"] });
  expect(tallyOf(stamped)).toMatchObject({ outcome: "passed", score: 100, pending: 1 });
  const { profile: _, ...bare } = stamped;
  bare.groups[0]!.cases[1]!.pending = true;
  expect(tallyOf(bare)).toMatchObject({ outcome: "failed", pending: 0 });
});

test("advice costs points, and a clean run with advice stays below 100", () => {
  const advised = suiteReport({ passed: ["a"], advisories: [{ id: "x", tier: "may" }] });
  expect(tallyOf(advised)).toMatchObject({ outcome: "passed", score: 99, advicePointsLost: 1 });
});

test("a suite with nothing to judge is no unmet obligation, and an empty one is", () => {
  const idle = suiteReport({ kind: "oauth", over: { outcome: "not-applicable" } });
  expect(tallyOf(idle)).toMatchObject({ outcome: "passed", score: null });
  expect(tallyOf(suiteReport())).toMatchObject({ outcome: "incomplete", score: null });
});

test("suites are pooled by their counts, and a missing one counts as a check that could not run", () => {
  const protocol = tallyOf(suiteReport({ passed: ["a", "b", "c"] }));
  const apps = tallyOf(suiteReport({ kind: "apps", passed: ["d"], couldNotRun: ["e"] }));
  const reports = [
    { suiteKind: "protocol" as const, tally: protocol },
    { suiteKind: "apps" as const, tally: apps },
  ];
  expect(tallyRun(["protocol", "apps"], reports)).toMatchObject({ applicable: 5, passed: 4, score: 81 });
  expect(tallyRun(["protocol", "apps", "tasks"], reports)).toMatchObject({
    outcome: "incomplete",
    applicable: 6,
    couldNotRun: 2,
    couldNotRunIds: ["e"],
  });
});
