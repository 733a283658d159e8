import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { paced } from "./paced.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("the first is done at once, a burst after it once, and quiet begins anew", () => {
  const done: string[][] = [];
  const want = paced<string>(2_000, (items) => done.push([...items]));
  want(["a"]);
  expect(done).toEqual([["a"]]);
  for (let round = 0; round < 50; round += 1) want(["b", "c"]);
  expect(done).toHaveLength(1);
  vi.advanceTimersByTime(2_000);
  expect(done).toEqual([["a"], ["b", "c"]]);
  vi.advanceTimersByTime(10_000);
  want(["d"]);
  expect(done.at(-1)).toEqual(["d"]);
  want([]);
  vi.advanceTimersByTime(10_000);
  expect(done).toHaveLength(3);
});
