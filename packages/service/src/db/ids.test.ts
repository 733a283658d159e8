import fc from "fast-check";
import { expect, test } from "vitest";
import { newId } from "./ids.ts";

test("an id is its prefix and 26 characters that are safe in a path", () => {
  expect(newId("prj")).toMatch(/^prj_[0-9a-hj-km-np-tv-z]{26}$/);
});

test("ids made later sort later, as plain text", () => {
  const instant = fc.integer({ min: 0, max: 2 ** 47 });
  fc.assert(
    fc.property(instant, instant, (a, b) => {
      fc.pre(a < b);
      expect(newId("x", a) < newId("x", b)).toBe(true);
    }),
  );
});

test("ids made in the same millisecond differ", () => {
  expect(new Set(Array.from({ length: 10_000 }, () => newId("x", 1))).size).toBe(10_000);
});
