/** @module What a report of the OAuth suite says of one flow, and of several as one. */
import { expect, test } from "vitest";
import { type OauthStep, oauthReportOf, oauthSuiteReportOf, oauthSuiteResultOf } from "./oauth-report.ts";

const stepOf = (step: string, fields: Partial<OauthStep> = {}): OauthStep => ({
  step,
  category: "flow",
  title: "t",
  summary: `about ${step}`,
  status: "passed",
  durationMs: 1,
  logs: [],
  httpAttempts: [],
  ...fields,
});
const reportOf = (...steps: OauthStep[]) =>
  oauthReportOf({
    protocolVersion: "2025-11-25",
    registration: "dcr",
    authMode: "headless",
    serverUrl: "https://shop.example/mcp",
    steps,
    durationMs: 10.4,
  });
const skipped = (skipReason: OauthStep["skipReason"]) =>
  stepOf("s", { status: "skipped", ...(skipReason && { skipReason }) });

const flows = {
  passed: reportOf(stepOf("a")),
  failed: reportOf(stepOf("a"), stepOf("b", { status: "failed" })),
  incomplete: reportOf(stepOf("a"), skipped("could-not-run")),
  "not-applicable": reportOf(skipped("not-applicable")),
};

test("a flow is incomplete by the steps that could not run, or by the server that went away", () => {
  expect(flows.incomplete).toMatchObject({ passed: false, incompleteReason: "Could not run: s." });
  const away = { ...skipped("could-not-run"), isOutage: true };
  expect(reportOf(stepOf("a"), away)).toMatchObject({ incompleteReason: "about s", score: { score: null } });
  expect(flows["not-applicable"].summary).toBe("Nothing to test: the server asks for no token.");
});

test.each<[(keyof typeof flows)[], keyof typeof flows, string]>([
  [["passed", "passed"], "passed", "2 of 2 flows passed"],
  [["passed", "incomplete", "failed"], "failed", "1 of 3 flows passed"],
  [["passed", "incomplete"], "incomplete", "1 of 2 flows passed"],
  [["not-applicable"], "not-applicable", "0 of 1 flows passed"],
])("flows that are %j are together %s", (outcomes, outcome, summary) => {
  const results = outcomes.map((one) => flows[one]);
  const passed = outcome === "passed";
  const suite = { name: "s", serverUrl: "https://shop.example/mcp" };
  expect(oauthSuiteResultOf(suite, results, 20.4)).toEqual({
    ...suite,
    passed,
    outcome,
    results,
    summary,
    durationMs: 20,
  });
  const report = oauthSuiteReportOf("s", results, 20.4);
  expect(report).toMatchObject({ kind: "oauth-conformance", passed, outcome, durationMs: 20 });
  expect(report.incompleteReason).toBe(outcome === "incomplete" ? "Could not run: s." : undefined);
});

test("each flow is a group under its label or its settings, and each step a case with all that was found", () => {
  const rule = { word: "MUST", title: "r", url: "https://example.com", revision: "2025-11-25" } as const;
  const broken = stepOf("b", {
    status: "failed",
    rule,
    error: { message: "no challenge" },
    warnings: [{ word: "SHOULD", message: "shorter" }],
  });
  const away = { ...skipped("could-not-run"), isOutage: true };
  const flow = reportOf(stepOf("a"), broken, away);
  const usual = { title: "t", category: "flow", durationMs: 1 };
  const report = oauthSuiteReportOf("s", [{ ...flow, label: "mine" }, flow], 1);
  expect(report.groups).toStrictEqual([
    {
      id: "mine",
      title: "mine",
      target: "https://shop.example/mcp",
      passed: false,
      durationMs: 10,
      summary: flow.summary,
      cases: [
        { ...usual, id: "a", status: "passed", description: "about a" },
        {
          ...usual,
          id: "b",
          status: "failed",
          description: "about b",
          rule,
          error: { message: "no challenge" },
          warnings: [{ word: "SHOULD", message: "shorter" }],
        },
        {
          ...usual,
          id: "s",
          status: "skipped",
          skipReason: "could-not-run",
          isOutage: true,
          description: "about s",
        },
      ],
    },
    expect.objectContaining({ id: "2025-11-25 dcr headless", title: "OAuth 2025-11-25 dcr headless" }),
  ]);
  expect(report.advisories?.map(({ id, message }) => [id, message])).toEqual([
    ["b", "shorter"],
    ["b", "shorter"],
  ]);
});
