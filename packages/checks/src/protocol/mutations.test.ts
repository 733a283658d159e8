/** @module Every mutation names what notices it, and names nothing that is not there. */
import { expect, test } from "vitest";
import { protocolCheckIds } from "./registry.ts";
import { mutations } from "./testing/mutations.ts";

test("every fault is noticed by a check that there is", () => {
  const named = mutations.map(({ name, fails = [], advises = [] }) => ({
    name,
    ids: [...fails, ...advises],
  }));
  expect(named.filter(({ ids }) => ids.length === 0)).toEqual([]);
  expect(named.filter(({ ids }) => ids.some((id) => !protocolCheckIds.includes(id)))).toEqual([]);
});
