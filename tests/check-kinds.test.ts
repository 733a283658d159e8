/** @module Holds the form of a check to the judges: whatever a suite may ask, the page can show. */
import { predicates } from "@fettle/evals";
import { expect, test } from "vitest";
import { asKind, checkKinds } from "../packages/web/src/kit/checks/check-kinds.ts";

test("the editor has a form for every predicate, with exactly its fields", () => {
  const declared = predicates.map(({ type, schema }) => [
    type,
    Object.keys(schema.shape)
      .filter((key) => !["type", "role", "severity"].includes(key))
      .sort(),
  ]);
  const shown = Object.entries(checkKinds).map(([type, { fields }]) => [
    type,
    [...new Set(fields.map(({ path }) => path.split(".")[0]!))].sort(),
  ]);
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(declared));
});

test("a new check asks only for what is left empty in it", () => {
  for (const { type, schema } of predicates) {
    const { error } = schema.safeParse(asKind(type));
    // Too short, or no pattern yet; never of another shape.
    const misshapen = error?.issues.filter(({ code }) => code !== "too_small" && code !== "custom") ?? [];
    expect(misshapen, type).toEqual([]);
  }
});
