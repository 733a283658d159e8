import { expect, test } from "vitest";
import { effectOf, type OperationDeclaration } from "./operation.ts";

const effect = (fields: Partial<OperationDeclaration>) =>
  effectOf({ method: "POST", ...fields } as OperationDeclaration);

test.each<[Partial<OperationDeclaration>, ReturnType<typeof effectOf>]>([
  [{ method: "GET" }, "read"],
  [{ method: "POST" }, undefined],
  [{ method: "PATCH" }, undefined],
  [{ method: "DELETE" }, "remove"],
  [{ narrows: true }, "remove"],
  [{ method: "DELETE", spends: true }, "remove"],
  [{ spends: true }, "spend"],
  [{ method: "GET", spends: "opt_in" }, "spend"],
  [{ surface: "app", method: "DELETE" }, "person"],
  [{ effect: "read", narrows: true, surface: "app" }, "read"],
])("an operation that is declared with %j has the effect %s", (fields, expected) => {
  expect(effect(fields)).toBe(expected);
});
