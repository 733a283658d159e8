/** @module Every mutation names what notices it, and names nothing that is not there. */
import { expect, test } from "vitest";
import { protocolChecks } from "./registry.ts";
import { mutations } from "./testing/mutations.ts";

test("every fault is noticed by a check that there is", () => {
  const named = mutations.map(({ name, fails = [], advises = [] }) => ({
    name,
    ids: [...fails, ...advises],
  }));
  const known = protocolChecks.map(({ id }) => id);
  expect(named.filter(({ ids }) => ids.length === 0)).toEqual([]);
  expect(named.filter(({ ids }) => ids.some((id) => !known.includes(id)))).toEqual([]);
});
