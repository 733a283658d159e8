import { expect, test } from "vitest";
import { toJunitXml } from "./junit-xml.ts";
import { type ReportInput, toJsonSummary } from "./report.ts";

const report: ReportInput = {
  kind: "tools-call-validation",
  durationMs: 1_234,
  metadata: { toolName: "find" },
  cases: [
    { id: "a", title: "First", category: "validation", passed: true, durationMs: 20 },
    {
      id: "b",
      title: 'Say "hi" & <bye>',
      category: "odd category",
      passed: false,
      error: "bad\u0000\ud800\n",
      details: { x: "<" },
    },
  ],
};

test("json-summary counts by category and says whether all passed", () => {
  expect(toJsonSummary(report)).toMatchObject({
    schemaVersion: 1,
    passed: false,
    summary: {
      total: 2,
      passed: 1,
      failed: 1,
      byCategory: { "odd category": { total: 1, passed: 0, failed: 1 } },
    },
    metadata: { toolName: "find" },
  });
  expect(toJsonSummary({ ...report, cases: [] }).passed).toBe(true);
});

test("junit-xml stays well-formed whatever a server said", () => {
  expect(toJunitXml(report)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="tools-call-validation" tests="2" failures="1" time="1.234">
  <testsuite name="tools-call-validation" tests="2" failures="1" time="1.234">
    <testcase name="First" classname="fettle.tools-call-validation.validation" time="0.020"/>
    <testcase name="Say &quot;hi&quot; &amp; &lt;bye&gt;" classname="fettle.tools-call-validation.odd-category">
      <failure message="bad\\u0000\\ud800&#10;">{"x":"&lt;"}</failure>
    </testcase>
  </testsuite>
</testsuites>
`);
});

test("an empty report holds one case, because CI takes none for a fault", () => {
  expect(toJunitXml({ ...report, cases: [] })).toContain('name="validation-passed"');
});

test("junit-xml counts what was skipped or waived as skipped, and not as failed", () => {
  const waiver = { reason: "known", expiresAt: null };
  const item = (id: string, passed: boolean, over: object = {}) => ({
    ...{ id, title: id, category: "c", passed },
    ...over,
  });
  const xml = toJunitXml({
    ...report,
    cases: [
      item("passed", true),
      item("failed", false, { error: "no" }),
      item("also failed", false),
      item("absent", false, { skipped: "not offered" }),
      item("passed though skippable", true, { skipped: "not offered" }),
      item("waived", false, { waiver }),
    ],
  });
  const counts = 'tests="6" failures="2" skipped="2" time="1.234">';
  expect(xml.split(counts)).toHaveLength(3);
  expect(xml.match(/<skipped message="[^"]*"/g)).toEqual([
    '<skipped message="not offered"',
    '<skipped message="Waived: known"',
  ]);
  expect(xml.match(/<failure message="[^"]*"/g)).toEqual([
    '<failure message="no"',
    '<failure message="failed"',
  ]);
});
