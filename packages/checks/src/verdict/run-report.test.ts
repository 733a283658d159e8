/** @module What a report says of its run: the tally, why it is incomplete, the advice, and several runs as one. */
import { expect, test } from "vitest";
import type { Advice, CheckResult } from "./check-result.ts";
import { type RunFacts, runReportOf, suiteReportOf, worstOutcome } from "./run-report.ts";

const resultOf = (id: string, fields: Partial<CheckResult> = {}): CheckResult => ({
  id,
  category: "core",
  title: "t",
  description: "d",
  status: "passed",
  durationMs: 1,
  ...fields,
});
const waiting = (id: string, fields: Partial<CheckResult> = {}) =>
  resultOf(id, { status: "skipped", skipReason: "could-not-run", ...fields });
const absent = (id: string, message: string) =>
  resultOf(id, { status: "skipped", skipReason: "not-applicable", error: { message } });
const adviceOf = (id: string, word: Advice["rule"]["word"]): Advice => ({
  id,
  title: "t",
  severity: "warning",
  rule: { word, title: "t", url: "https://example.com", revision: "2025-11-25" },
  message: `do ${id}`,
});
const reportOf = (results: CheckResult[], fields: Partial<RunFacts> = {}) =>
  runReportOf({
    target: "http://127.0.0.1/mcp",
    protocolVersion: "2025-11-25",
    transport: "streamable-http",
    durationMs: 10.4,
    results,
    ...fields,
  });

test("each category counts what passed, failed, was skipped and could not run", () => {
  const report = reportOf([
    resultOf("a"),
    resultOf("b", { status: "failed" }),
    waiting("c"),
    absent("d", "No prompts."),
    resultOf("e", { category: "tools" }),
  ]);
  expect(report.categorySummary).toEqual({
    core: { total: 4, passed: 1, failed: 1, skipped: 2, couldNotRun: 1 },
    tools: { total: 1, passed: 1, failed: 0, skipped: 0, couldNotRun: 0 },
  });
  expect(report).toMatchObject({
    passed: false,
    outcome: "failed",
    target: "http://127.0.0.1/mcp",
    protocolVersion: "2025-11-25",
    transport: "streamable-http",
    durationMs: 10,
    score: { protocolVersion: "2025-11-25" },
  });
  expect(report).not.toHaveProperty("incompleteReason");
});

test("every advice stands in the report, and costs points where a text gives it", () => {
  const advice = [adviceOf("one", "SHOULD"), adviceOf("two", "MAY"), adviceOf("three", "inferred")];
  const warned = resultOf("a", { warnings: [{ word: "SHOULD", message: "shorter" }] });
  const report = reportOf([warned], { advice });
  expect(report).toMatchObject({ passed: true, readiness: advice });
  expect(report.score.advisories).toEqual([
    { id: "a", tier: "should" },
    { id: "one", tier: "should" },
    { id: "two", tier: "may" },
    { id: "three" },
  ]);
  expect(report.score.advicePointsLost).toBe(5);
  expect(reportOf([resultOf("a")])).not.toHaveProperty("readiness");
  const single = reportOf([warned]);
  expect(suiteReportOf("protocol", "s", [{ label: "s", report: single }]).advisories).toHaveLength(1);
  expect(suiteReportOf("protocol", "s", [{ label: "s", report }]).advisories).toEqual([
    { id: "a", tier: "should", word: "SHOULD", message: "shorter" },
    { id: "one", tier: "should", word: "SHOULD", message: "do one" },
    { id: "two", tier: "may", word: "MAY", message: "do two" },
    { id: "three", word: "inferred", message: "do three" },
  ]);
});

test.each<[string, CheckResult[], string]>([
  ["nothing was selected", [], "No check was selected."],
  ["some could not run", [resultOf("a"), waiting("b"), waiting("c")], "Could not run: b, c."],
  [
    "one cause stopped several",
    ["b", "c", "d"].map((id) => waiting(id, { error: { message: "The answer went to stderr." } })),
    "3 checks could not run: The answer went to stderr.",
  ],
  [
    "the server went away",
    [waiting("a"), waiting("b", { isOutage: true, error: { message: "Nobody answers." } })],
    "Nobody answers.",
  ],
])("an incomplete run says why: %s", (_, results, reason) => {
  expect(reportOf(results)).toMatchObject({
    passed: false,
    outcome: "incomplete",
    incompleteReason: reason,
  });
});

test("what was judged before the server went away is no score", () => {
  const report = reportOf([resultOf("a"), waiting("b", { isOutage: true, error: { message: "Gone." } })]);
  expect(report.score.score).toBeNull();
});

test("a check that the profile does not score yet is marked, and is not what a run waits for", () => {
  const profile = { id: "p", version: "2026-01-01", scoredCheckIds: ["old"] };
  const young = reportOf([waiting("young"), resultOf("old")], { profile });
  expect(young).toMatchObject({ outcome: "passed", checks: [{ pending: true }, { id: "old" }] });
  expect(young.checks[1]).not.toHaveProperty("pending");
  const report = reportOf([waiting("young")], { profile, schemaDigest: "sha256:1" });
  expect(suiteReportOf("protocol", "s", [{ label: "s", report }]).profile).toEqual(report.profile);
  expect(report).toMatchObject({
    checks: [{ id: "young", pending: true }],
    incompleteReason: "No check of the profile applied.",
    profile: {
      profileId: "p",
      pendingCheckIds: ["young"],
      schemaDigest: "sha256:1",
      protocolVersion: "2025-11-25",
    },
  });
});

test("a run in which no check applies says why, where the checks agree", () => {
  const same = reportOf([absent("a", "No widgets."), absent("b", "No widgets.")]);
  expect(same).toMatchObject({ passed: false, outcome: "not-applicable" });
  expect(same.summary).toBe("Nothing to test: none of 2 checks applies. No widgets.");
  expect(reportOf([absent("a", "No widgets."), absent("b", "No tools.")]).summary).toBe(
    "Nothing to test: none of 2 checks applies.",
  );
});

test("several runs are one report with their durations added, and each reason under its run's name", () => {
  const runs = [
    { label: "first", report: reportOf([waiting("a")]) },
    { label: "second", report: reportOf([resultOf("a")], { durationMs: 30 }) },
    { label: "third", report: reportOf([]) },
  ];
  const report = suiteReportOf("protocol", "s", runs);
  expect(report).toMatchObject({
    schemaVersion: 1,
    kind: "protocol-conformance",
    name: "s",
    passed: false,
    outcome: "incomplete",
    incompleteReason: "first: Could not run: a. third: No check was selected.",
    score: { passed: 1, couldNotRun: 1 },
    durationMs: 50,
    groups: [
      { id: "first" },
      {
        id: "second",
        title: "second",
        target: "http://127.0.0.1/mcp",
        passed: true,
        durationMs: 30,
        summary: "1 of 1 checks passed, 0 failed, 0 could not run, 0 not applicable",
        cases: [{ id: "a", status: "passed" }],
      },
      { id: "third" },
    ],
  });
  const failed = { label: "fourth", report: reportOf([resultOf("a", { status: "failed" })]) };
  for (const some of [[...runs, failed], []]) {
    expect(suiteReportOf("protocol", "s", some)).not.toHaveProperty("incompleteReason");
  }
  expect(suiteReportOf("protocol", "s", runs.slice(0, 1)).incompleteReason).toBe("Could not run: a.");
  const passed = suiteReportOf("protocol", "s", runs.slice(1, 2));
  expect(passed).toMatchObject({ passed: true, outcome: "passed" });
  expect(passed).not.toHaveProperty("incompleteReason");
  expect(passed).not.toHaveProperty("advisories");
});

test.each([
  [["passed", "failed", "incomplete"], "failed"],
  [["passed", "incomplete"], "incomplete"],
  [["not-applicable", "passed"], "passed"],
  [["not-applicable"], "not-applicable"],
  [[], "incomplete"],
] as const)("the worst of %j is %s", (outcomes, worst) => {
  expect(worstOutcome(outcomes.map((outcome) => ({ outcome })))).toBe(worst);
});
