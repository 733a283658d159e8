/** @module JUnit XML of conformance reports, held to the schema that CI systems share. */
import { expect, test } from "vitest";
import { unstartedRunOf } from "../verdict/outage.ts";
import { requiring, unmetIn } from "../verdict/requirement.ts";
import { suiteReportOf } from "../verdict/run-report.ts";
import type { SuiteCase, SuiteReport } from "../verdict/suite-report.ts";
import { toJunitXml } from "./junit-xml.ts";
import { toCombinedJunitXml, toSuiteJunitXml } from "./suite-junit-xml.ts";
import { junitFaults, readXml } from "./testing/junit-schema.ts";

const base = { category: "core", durationMs: 12, title: "t" };
const cases: SuiteCase[] = [
  { ...base, id: "fine", status: "passed" },
  {
    ...base,
    id: "bad",
    status: "failed",
    error: { message: 'said "<no>" & left\u0000' },
    details: { evidence: ["]]>", "\ud800"] },
  },
  {
    ...base,
    id: "elsewhere",
    status: "skipped",
    skipReason: "not-applicable",
    error: { message: "no tools" },
  },
  { ...base, id: "unseen", status: "skipped", skipReason: "could-not-run", error: { message: "hung up" } },
  { ...base, id: "young", status: "failed", pending: true, error: { message: "not yet scored" } },
];

const report: SuiteReport = {
  schemaVersion: 1,
  kind: "protocol-conformance",
  name: "http://127.0.0.1/mcp",
  passed: false,
  outcome: "failed",
  durationMs: 1_500,
  groups: [
    { id: "a", title: "First", target: "x", passed: false, durationMs: 700, summary: "1 of 3", cases },
    { id: "b", title: "Second & last", target: "x", passed: true, durationMs: 800, cases: [] },
  ],
  advisories: [{ id: "be-better", tier: "should", message: "do <this>" }],
};

test("a conformance report is valid, and shows as skipped what was neither passed nor failed", () => {
  const xml = toSuiteJunitXml(report);
  expect(junitFaults(xml)).toEqual([]);
  const [first] = readXml(xml).children;
  expect(first?.attributes).toMatchObject({ tests: "5", failures: "1", errors: "0", skipped: "3" });
  const skipped = first?.children.filter(({ children }) => children.some(({ name }) => name === "skipped"));
  expect(skipped?.map(({ attributes }) => attributes.name)).toEqual(["elsewhere", "unseen", "young"]);
  const properties = first?.children.find(({ name }) => name === "properties")?.children;
  expect(properties?.map(({ attributes }) => attributes)).toContainEqual({
    name: "fettle.conformance.score",
    value: "not-scored",
  });
});

test("a server that was not there is an error of the file: neither failed nor skipped", () => {
  const run = unstartedRunOf("protocol", "http://127.0.0.1:9/mcp", {
    code: "X",
    message: "Nothing <there>.",
  });
  const xml = toSuiteJunitXml(suiteReportOf("protocol", run.target, [{ label: "Protocol", report: run }]));
  expect(junitFaults(xml)).toEqual([]);
  const [suite] = readXml(xml).children;
  expect(suite?.attributes).toMatchObject({ tests: "1", failures: "0", errors: "1", skipped: "0" });
  expect(xml).toContain('<error message="Nothing &lt;there&gt;." type="outage">');
});

test("several suites are one valid file in which each keeps its own kind and verdict", () => {
  const oauth: SuiteReport = { ...report, kind: "oauth-conformance", outcome: "incomplete" };
  const xml = toCombinedJunitXml([report, oauth]);
  expect(junitFaults(xml)).toEqual([]);
  const { attributes, children } = readXml(xml);
  expect(attributes).toMatchObject({ name: "conformance", tests: "10", failures: "2", time: "3.000" });
  expect(children).toHaveLength(4);
  expect(xml.match(/outcome" value="(\w+)"/g)).toEqual(
    ["failed", "failed", "incomplete", "incomplete"].map((outcome) => `outcome" value="${outcome}"`),
  );
  expect(xml).toContain('classname="fettle.oauth-conformance.core"');
});

test("so are the other reports", () => {
  const other = {
    kind: "surface-check",
    durationMs: 5,
    metadata: {},
    cases: [
      { id: "x", title: "a & b", category: "tools", passed: false, error: "changed", details: { x: 1 } },
    ],
  };
  expect(junitFaults(toJunitXml(other))).toEqual([]);
  expect(junitFaults(toJunitXml({ ...other, cases: [] }))).toEqual([]);
});

test.each([
  ["<testsuites><testsuite tests='1'/></testsuites>", "testsuite lacks name"],
  ["<testsuites><testcase name='a' classname='b'/></testsuites>", "testsuites may not hold testcase"],
  ["<testsuites><testsuite name='a' tests='one'/></testsuites>", "tests of testsuite is not a whole number"],
  ["<testsuites><testsuite name='a' tests='1' mood='good'/></testsuites>", "testsuite may not have mood"],
])("the schema itself refuses %s", (xml, fault) => {
  expect(junitFaults(xml)).toEqual([fault]);
});

test("what is required and absent is a failed case of its own beside what does not apply, and scores nothing", () => {
  const absent = {
    ...base,
    status: "skipped",
    skipReason: "not-applicable",
    error: { message: "No widgets." },
  } as const;
  const groups = [
    {
      ...report.groups[0]!,
      cases: [
        { ...absent, id: "a" },
        { ...absent, id: "b" },
      ],
    },
  ];
  const nothing: SuiteReport = { ...report, outcome: "not-applicable", groups };
  expect(toSuiteJunitXml(nothing)).not.toContain("<failure");
  const required = requiring(nothing, "--require-ui");
  expect(unmetIn(required)).toBe("Nothing was tested, though --require-ui asks for it. No widgets.");
  const xml = toSuiteJunitXml(required);
  expect(junitFaults(xml)).toEqual([]);
  expect(readXml(xml).children[0]?.attributes).toMatchObject({
    tests: "3",
    failures: "1",
    errors: "0",
    skipped: "2",
  });
  // Where something was tested the requirement is met.
  expect(unmetIn(requiring(report, "--require-ui"))).toBeUndefined();
});
