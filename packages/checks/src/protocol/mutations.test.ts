/** @module No check without the fault that it notices: a check that cannot fail proves nothing. */
import { expect, test } from "vitest";
import { protocolCheckIds } from "./registry.ts";
import { mutations, unharmedAdvice } from "./testing/mutations.ts";

/** Faults of a process, which no proxy can bring in: they are proven where the suite runs over stdio. */
const overStdio = ["notification-unanswered", "stdio-clean-stdout", "stdio-shutdown"];

test("every check is made to fail or to advise by some fault, and no fault names a check that is not there", () => {
  const noticed = new Set([
    ...mutations.flatMap(({ fails = [], advises = [] }) => [...fails, ...advises]),
    ...Object.values(unharmedAdvice).flat(),
    ...overStdio,
  ]);
  expect([...noticed].toSorted()).toEqual(protocolCheckIds.toSorted());
});

test("every fault is noticed by a check", () => {
  const unnoticed = mutations.filter(({ fails = [], advises = [] }) => fails.length + advises.length === 0);
  expect(unnoticed.map(({ name }) => name)).toEqual([]);
});
