/** @module Several suites on one server as one report. */
import { expect, test } from "vitest";
import type { CheckResult } from "./check-result.ts";
import { combinedReportOf } from "./combined-report.ts";
import { runReportOf, suiteReportOf } from "./run-report.ts";
import type { SuiteReport } from "./suite-report.ts";

const resultOf = (id: string, fields: Partial<CheckResult> = {}): CheckResult => ({
  id,
  category: "core",
  title: "t",
  description: "d",
  status: "passed",
  durationMs: 1,
  ...fields,
});
const waiting = resultOf("waiting", { status: "skipped", skipReason: "could-not-run" });
const absent = resultOf("absent", { status: "skipped", skipReason: "not-applicable" });
const failing = resultOf("failing", { status: "failed" });

const suite = (label: string, ...results: CheckResult[]): SuiteReport =>
  suiteReportOf("protocol", label, [
    {
      label,
      report: runReportOf({
        target: "http://127.0.0.1/mcp",
        protocolVersion: "2025-11-25",
        transport: "streamable-http",
        durationMs: 1,
        results,
      }),
    },
  ]);

test("the groups of all suites stand side by side, under one score and one duration", () => {
  const suites = [suite("one", resultOf("a"), failing), suite("two", resultOf("b"))];
  expect(combinedReportOf("both", suites, 12.6)).toStrictEqual({
    schemaVersion: 1,
    kind: "conformance",
    name: "both",
    passed: false,
    outcome: "failed",
    score: expect.objectContaining({ passed: 2, failed: 1, applicable: 3, score: 68 }),
    durationMs: 13,
    groups: [expect.objectContaining({ id: "one" }), expect.objectContaining({ id: "two" })],
  });
  expect(combinedReportOf("both", suites.slice(1), 1)).toMatchObject({ passed: true, outcome: "passed" });
});

test.each<[string, SuiteReport[], string | undefined]>([
  ["incomplete", [suite("one", waiting), suite("two", resultOf("a"))], "Could not run: waiting."],
  ["incomplete", [suite("one", waiting), suite("two")], "Could not run: waiting. No check was selected."],
  ["incomplete", [], undefined],
  ["failed", [suite("one", waiting), suite("two", failing)], undefined],
  ["not-applicable", [suite("one", absent), suite("two", absent)], undefined],
  ["passed", [suite("one", absent), suite("two", resultOf("a"))], undefined],
])("a report that is %s has a reason only where it is incomplete", (outcome, suites, reason) => {
  const report = combinedReportOf("all", suites, 1);
  expect([report.outcome, report.incompleteReason]).toEqual([outcome, reason]);
  expect(Object.hasOwn(report, "incompleteReason")).toBe(reason !== undefined);
  expect(report.passed).toBe(outcome === "passed");
});

test("the advice of all suites is listed, and costs points also where a suite carries no score", () => {
  const warned = (message: string) => resultOf("a", { warnings: [{ word: "SHOULD", message }] });
  const { score: _counted, ...read } = suite("two", warned("second"));
  const report = combinedReportOf("both", [suite("one", warned("first")), read], 1);
  expect(report.advisories?.map(({ message }) => message)).toEqual(["first", "second"]);
  expect(report.score).toMatchObject({ passed: 2, advicePointsLost: 4, score: 96 });
  expect(report.score.advisories).toEqual([
    { id: "a", tier: "should" },
    { id: "a", tier: "should" },
  ]);
});
