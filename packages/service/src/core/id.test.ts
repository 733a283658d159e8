import fc from "fast-check";
import { expect, test } from "vitest";
import { newId } from "./id.ts";

test("ids made later sort later", () => {
  const instant = fc.integer({ min: 0, max: 2 ** 48 - 1 });
  fc.assert(
    fc.property(instant, instant, (one, other) => {
      fc.pre(one < other);
      expect(newId("project", one) < newId("project", other)).toBe(true);
    }),
  );
});

test("ids made in the same millisecond differ", () => {
  const ids = new Set(Array.from({ length: 1000 }, () => newId("project", 1)));
  expect(ids.size).toBe(1000);
});
