import { expect, test } from "vitest";
import { caseOf, runOf } from "../testing/run-facts-of.ts";
import { measured, runIntegrity } from "./gate-row.ts";
import type { CaseFacts } from "./run-facts.ts";

const [iteration] = caseOf("a", 1, 1).iterations;
const iterations = (...some: Partial<CaseFacts["iterations"][number]>[]) => ({
  iterations: some.map((fields) => ({ ...iteration!, ...fields })),
});
const tampered = { scores: [] };
const uncounted = { result: null, scores: [] };

test.each<[string, CaseFacts[], ReturnType<typeof runIntegrity>]>([
  ["rows as graded", [caseOf("a", 1, 2)], "valid"],
  ["rows that are missing", [caseOf("a", 1, 1, iterations({}, tampered))], "invalid"],
  [
    "rows that are missing in one of two cases",
    [caseOf("a", 1, 1), caseOf("b", 1, 1, iterations(tampered))],
    "invalid",
  ],
  ["rows that are missing where nothing counts", [caseOf("a", 1, 1, iterations({}, uncounted))], "valid"],
  ["nothing that counts", [caseOf("a", 1, 1, iterations(uncounted))], "unknown"],
  ["no case", [], "unknown"],
  ["no scorers", [caseOf("a", 1, 1, { definitions: [] })], "unknown"],
  ["scorers in one of two cases", [caseOf("a", 1, 1), caseOf("b", 1, 1, { definitions: [] })], "invalid"],
])("the scores of a run with %s", (_, cases, integrity) => {
  expect(runIntegrity(runOf("run", cases))).toBe(integrity);
});

test("nothing measured decides nothing, a measured zero does", () => {
  const at = (observed: number | null | undefined, holds: boolean) =>
    measured("rate", observed, 0.5, holds, "measured", "unmeasured");
  for (const none of [null, undefined])
    expect(at(none, true)).toStrictEqual({
      gate: "rate",
      status: "non_gateable",
      message: "unmeasured",
      threshold: 0.5,
    });
  expect(at(0, false)).toStrictEqual({
    gate: "rate",
    status: "failed",
    message: "measured",
    observed: 0,
    threshold: 0.5,
  });
  expect(at(0, true).status).toBe("passed");
});
