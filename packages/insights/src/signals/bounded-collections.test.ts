import fc from "fast-check";
import { expect, test } from "vitest";
import { boundedMap, firsts } from "./bounded-collections.ts";
import { addTo, type Histogram, spreadOf, without } from "./histogram.ts";

test("a map keeps the same keys with full counts, in whatever order they come", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 300 }), fc.integer(), (keys, seed) => {
      const counted = (order: readonly number[]) => {
        const map = boundedMap<{ count: number }>(10);
        for (const key of order) {
          const entry = map.at(String(key), () => ({ count: 0 }));
          if (entry) entry.count += 1;
        }
        return { entries: map.entries(), isOverflowing: map.isOverflowing };
      };
      const { entries, isOverflowing } = counted(keys);
      const other = keys.toSorted((one, two) => ((one * 7 + seed) % 61) - ((two * 7 + seed) % 61));
      expect(counted(other)).toEqual({ entries, isOverflowing });
      expect(entries.length).toBe(Math.min(10, new Set(keys).size));
      expect(isOverflowing).toBe(new Set(keys).size > 10);
      for (const [key, { count }] of entries)
        expect(count).toBe(keys.filter((one) => String(one) === key).length);
    }),
  );
});

test("a map keeps the first of two keys with the same number, in whatever order they come", () => {
  // Their numbers are equal by FNV-1a.
  const keys = ["costarring", "liquid"];
  for (const order of [keys, keys.toReversed()]) {
    const map = boundedMap<string>(1);
    for (const key of order) map.at(key, () => key);
    expect(map.entries()).toEqual([["costarring", "costarring"]]);
  }
});

test("a map's choice goes by the first letter, too, and not by its place in the alphabet", () => {
  const letters = [..."abcdefghijklmnop"];
  const map = boundedMap<string>(4);
  for (const letter of letters) map.at(`${letter}xyz`, () => letter);
  const kept = map.entries().map(([, letter]) => letter);
  expect(kept).toHaveLength(4);
  expect(kept).not.toEqual(letters.slice(0, 4));
});

test("the first few are the first few of all, each once", () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (numbers) => {
      const three = firsts<number>(3, (one, other) => one - other);
      for (const number of numbers) three.add(number);
      expect(three.all).toEqual([...new Set(numbers)].sort((one, other) => one - other).slice(0, 3));
    }),
  );
});

test("shares are right to two digits, and the rest is what others measured", () => {
  const [own, all]: [Histogram, Histogram] = [new Map(), new Map()];
  const values = Array.from({ length: 100 }, (_, at) => at + 1);
  addTo(own, values);
  addTo(all, values);
  addTo(all, [9_876, 9_876]);
  expect([0.5, 0.95, 1].map((share) => spreadOf(own).at(share))).toEqual([50, 95, 100]);
  expect(spreadOf(own).from(91)).toBe(10);
  expect([own, all, without(all, own)].map((one) => spreadOf(one).count)).toEqual([100, 102, 2]);
  expect(spreadOf(without(all, own)).at(0.5)).toBe(9_900);
  expect(spreadOf(new Map()).at(0.5)).toBe(null);
});

test("each share has the first value that so many do not pass, and one counted twice counts twice", () => {
  const few: Histogram = new Map();
  addTo(few, [1, 2, 2, 1_234, -5]);
  const { count, at, from } = spreadOf(few);
  expect(count).toBe(5);
  expect([0, 0.2, 0.21, 0.4, 0.41, 0.8, 0.81, 1].map(at)).toEqual([0, 0, 1, 1, 2, 2, 1_200, 1_200]);
  expect([0, 1, 2, 3, 1_200, 1_201].map(from)).toEqual([5, 4, 3, 1, 1, 0]);
});
