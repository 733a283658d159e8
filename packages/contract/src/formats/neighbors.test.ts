import { expect, test } from "vitest";
import { neighbors } from "./neighbors.ts";

test.each([
  [[], []],
  [[1], []],
  [
    [1, 2, 3],
    [
      [1, 2],
      [2, 3],
    ],
  ],
])("each of %j stands beside the one after it", (items, pairs) => {
  expect(neighbors(items)).toEqual(pairs);
});
