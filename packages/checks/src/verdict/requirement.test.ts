/** @module What an operator requires: unmet where nothing was tested, and told in the commonest words of why. */
import { expect, test } from "vitest";
import { casesWithRequirement, requiring, unmetIn } from "./requirement.ts";
import type { SuiteCase, SuiteGroup, SuiteReport } from "./suite-report.ts";

const absent = (why?: string): SuiteCase => ({
  id: "a",
  title: "t",
  category: "c",
  status: "skipped",
  skipReason: "not-applicable",
  durationMs: 1,
  ...(why !== undefined && { error: { message: why } }),
});
const { skipReason: _skipped, ...tested }: SuiteCase = { ...absent(), status: "passed" };
const groupOf = (...cases: SuiteCase[]): SuiteGroup => ({
  id: "g",
  title: "g",
  target: "http://127.0.0.1/mcp",
  passed: false,
  durationMs: 1,
  cases,
});
const reportOf = (...groups: SuiteGroup[]) => ({ groups }) as SuiteReport;
const asked = "Nothing was tested, though --require-ui asks for it.";

test.each<[string, SuiteCase[], string | undefined]>([
  ["without any check", [], undefined],
  ["in which one check applied", [absent("No widgets."), tested], undefined],
  [
    "in which a check could not run",
    [absent("No widgets."), { ...absent("Gone."), skipReason: "could-not-run" }],
    undefined,
  ],
  ["in which none applied", [absent("No widgets.")], `${asked} No widgets.`],
  ["that gives no reason", [absent()], asked],
  [
    "that gives several reasons",
    [absent("No tools."), absent("No widgets."), absent("No widgets."), absent("No prompts.")],
    `${asked} No widgets.`,
  ],
  [
    "whose commonest reason comes first",
    [absent("No widgets."), absent("No widgets."), absent("No tools.")],
    `${asked} No widgets.`,
  ],
])("a run %s meets what is required or not", (_, cases, unmet) => {
  const report = requiring(reportOf(groupOf(...cases)), "--require-ui");
  expect(unmetIn(report)).toBe(unmet);
  const shown = casesWithRequirement(report.groups[0]!);
  expect(shown.slice(0, cases.length)).toEqual(cases);
  expect(shown.slice(cases.length)).toEqual(
    unmet === undefined
      ? []
      : [
          {
            id: "required",
            title: "What is required is there",
            category: "requirement",
            status: "failed",
            durationMs: 0,
            error: { message: unmet },
          },
        ],
  );
});

test("only the runs that are named have to test something", () => {
  const both = reportOf(groupOf(absent("One.")), groupOf(absent("Two.")));
  const second = requiring(both, "--require-ui", (place) => place === 1);
  expect(second.groups.map(({ unmet }) => unmet)).toEqual([undefined, `${asked} Two.`]);
  expect(unmetIn(second)).toBe(`${asked} Two.`);
  expect(unmetIn(requiring(both, "--require-ui", () => false))).toBeUndefined();
});
