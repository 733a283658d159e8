import { expect, test } from "vitest";
import { EvalMatchOptionsInput } from "./match-options.ts";

const older = [{ toolCallOrder: "superset" }, { maxExtraToolCalls: 1 }, { argumentMatching: "exact" }];
const current = [{ extraToolCalls: 1 }, { arguments: "exact" }];

test.each([
  ...older.flatMap((one) => current.map((other) => ({ ...one, ...other }))),
  { toolCallOrder: "in-order", maxExtraToolCalls: 1 },
  { toolCallOrder: "in-order", argumentMatching: "exact" },
])("older words beside current ones are refused: %j", (given) => {
  expect(EvalMatchOptionsInput.safeParse(given).error?.issues).toMatchObject([
    { params: { code: "MATCH_OPTIONS_MIXED" } },
  ]);
});

test.each([
  [{}, {}],
  [
    { toolCallOrder: "ignore", maxExtraToolCalls: null, argumentMatching: "partial" },
    { toolCallOrder: "any", extraToolCalls: "unlimited", arguments: "partial" },
  ],
  [{ toolCallOrder: "superset" }, { toolCallOrder: "in-order" }],
  [
    { toolCallOrder: "strict", maxExtraToolCalls: 0 },
    { toolCallOrder: "exact", extraToolCalls: 0 },
  ],
  [
    { toolCallOrder: "any", extraToolCalls: 2, arguments: "ignore" },
    { toolCallOrder: "any", extraToolCalls: 2, arguments: "ignore" },
  ],
])("%j is read as %j", (given, read) => {
  expect(EvalMatchOptionsInput.parse(given)).toStrictEqual(read);
});
