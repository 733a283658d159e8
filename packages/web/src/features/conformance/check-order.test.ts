import type { ConformanceSuiteReport } from "@fettle/contract/servers";
import { expect, test } from "vitest";
import { shownChecks } from "./check-order.ts";

const check = (id: string, status: string, skipReason?: string, warnings?: object[]) => ({
  id,
  warnings,
  title: id,
  category: "core",
  status,
  skipReason,
});
const report = {
  profile: { pendingCheckIds: ["new"] },
  groups: [
    {
      id: "one",
      title: "One",
      cases: [
        check("fine", "passed"),
        check("new", "failed"),
        check("unwise", "passed", undefined, [{ word: "SHOULD", message: "Mind it." }]),
      ],
    },
    {
      id: "two",
      title: "Two",
      cases: [
        check("fine", "failed"),
        check("stuck", "skipped", "could-not-run"),
        check("odd", "skipped"),
        check("other", "skipped", "not-applicable"),
      ],
    },
  ],
} as unknown as ConformanceSuiteReport;

test("what failed comes first, then what could not run, and each row has a name of its own", () => {
  const shown = shownChecks(report);
  expect(shown.map(({ check: { id }, state }) => [id, state])).toEqual([
    ["new", "failed"],
    ["fine", "failed"],
    ["stuck", "could-not-run"],
    ["odd", "could-not-run"],
    ["unwise", "advised"],
    ["fine", "passed"],
    ["other", "not-applicable"],
  ]);
  expect(shown.map(({ pending }) => pending)).toEqual([true, false, false, false, false, false, false]);
  expect(new Set(shown.map(({ key }) => key)).size).toBe(7);
});
