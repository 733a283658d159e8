import { expect, test } from "vitest";
import { only } from "./only.ts";

test.each([
  [[], undefined],
  [["a"], "a"],
  [["a", "b"], undefined],
])("of %j it is %s", (items, found) => {
  expect(only(items)).toBe(found);
});
