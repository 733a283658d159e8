/** @module What stands beside the mark of a check agrees with it, and JUnit tells advice as advice. */
import { parseTarget } from "@fettle/mcp";
import { startEverything, startHostile } from "@fettle/samples";
import { expect, onTestFinished, test } from "vitest";
import { toSuiteJunitXml } from "../reports/suite-junit-xml.ts";
import { readXml } from "../reports/testing/junit-schema.ts";
import { suiteReportOf } from "../verdict/run-report.ts";
import { disagreementsOf } from "../verdict/testing/evidence-agrees.ts";
import { runProtocol } from "./run-protocol.ts";

test.each([
  ["a good server", () => startEverything()],
  ["a server with bad schemas", () => startHostile("old-schemas")],
  ["a server with a wrong role", () => startHostile("system-role")],
])("of %s, marks and what stands beside them agree", async (_, start) => {
  const server = await start();
  onTestFinished(() => server.close());
  const report = await runProtocol(parseTarget({ url: server.url }), { protocolVersion: "2025-11-25" });
  const passed = report.checks.filter(({ status }) => status === "passed");
  expect(passed.length).toBeGreaterThan(10);
  expect(disagreementsOf(report.checks)).toEqual([]);
  const suite = suiteReportOf("protocol", report.target, [{ label: "Protocol", report }]);
  const cases = readXml(toSuiteJunitXml(suite)).children.flatMap(({ children }) => children);
  for (const { id, warnings = [] } of passed) {
    const shown = cases.find(({ name, attributes }) => name === "testcase" && attributes.name === id);
    expect([id, shown?.children.filter(({ name }) => name === "failure")]).toEqual([id, []]);
    const printed = JSON.stringify(shown?.children.filter(({ name }) => name === "system-out"));
    expect([id, printed.includes("Advice, ")]).toEqual([id, warnings.length > 0]);
  }
});
