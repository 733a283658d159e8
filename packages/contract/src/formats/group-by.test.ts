import { expect, test } from "vitest";
import { groupBy } from "./group-by.ts";

test("things with one key come together in their own order, and groups in the order of their first", () => {
  const groups = groupBy(["tea", "cup", "ten", "tip"], (word) => word[0]);
  expect([...groups]).toEqual([
    ["t", ["tea", "ten", "tip"]],
    ["c", ["cup"]],
  ]);
});

test("of nothing there is no group", () => {
  expect(groupBy([], String).size).toBe(0);
});
