import { expect, test } from "vitest";
import { EvalTestCase } from "./test-case.ts";

const steps = [{ id: "a", kind: "prompt", prompt: "Hello" }];
const issuesOf = (fields: object) =>
  EvalTestCase.safeParse({ title: "Greets", steps, ...fields }).error?.issues.map(({ path, message }) => [
    path.join("."),
    message,
  ]);

test.each([
  {},
  { runs: 2 },
  { repetitions: 2 },
  { isNegativeTest: true },
  { predicates: [] },
  { model: "m" },
])("a case may use one name for one thing: %j", (fields) => {
  expect(issuesOf(fields)).toBeUndefined();
});

test.each([
  [{ iterations: 2, runs: 2 }, "runs", "iterations and runs"],
  [{ runs: 2, repetitions: 2 }, "repetitions", "runs and repetitions"],
  [{ isNegative: true, isNegativeTest: true }, "isNegativeTest", "isNegative and isNegativeTest"],
  [{ checks: [], assertions: [] }, "assertions", "checks and assertions"],
  [{ models: [{ model: "m" }], model: "m" }, "model", "models and model"],
])("two names for one thing are refused: %j", (fields, path, names) => {
  expect(issuesOf(fields)).toEqual([[path, `${names} are names for one thing; keep one`]]);
});
