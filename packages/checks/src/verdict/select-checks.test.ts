import { expect, test } from "vitest";
import { selectChecks } from "./select-checks.ts";

const checks = [
  { id: "a", category: "core" },
  { id: "b", category: "tools" },
  { id: "c", category: "tools" },
] as const;

test.each([
  [{}, "abc"],
  [{ categories: [], checkIds: [] }, "abc"],
  [{ categories: ["tools"] }, "bc"],
  [{ categories: ["core"], checkIds: ["c", "b"] }, "bc"],
] as const)("%j selects %s", (selection, ids) => {
  expect(
    selectChecks(checks, selection)
      .map(({ id }) => id)
      .join(""),
  ).toBe(ids);
});

test("names that are no check's are refused, together with those that are", () => {
  expect(() => selectChecks(checks, { checkIds: ["x", "a", "y"] })).toThrow(
    expect.objectContaining({
      code: "BAD_OPTION",
      message: 'No check is called "x", "y".',
      details: { unknown: "x", known: ["a", "b", "c"] },
    }),
  );
});
