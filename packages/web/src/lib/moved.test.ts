import { expect, test } from "vitest";
import { moved } from "./moved.ts";

test.each([
  [0, 2, ["b", "c", "a"]],
  [2, 1, ["a", "c", "b"]],
  [1, 1, ["a", "b", "c"]],
])("what is at %i goes to %i", (from, to, list) => {
  expect(moved(["a", "b", "c"], from, to)).toEqual(list);
});
