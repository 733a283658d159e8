import { expect, test } from "vitest";
import { follow, type SignalRow, type SignalStatus } from "./lifecycle.ts";

/** Each scope: units that showed it, of units that could have. */
const through = (...scopes: [count: number, exercised: number][]) =>
  scopes.reduce<SignalRow | undefined>(
    (row, [count, exercised], at) => follow(row, { count, exercised, at }),
    undefined,
  );

test.each<[string, [number, number][], SignalStatus | undefined]>([
  ["never seen", [[0, 9]], undefined],
  ["seen once", [[2, 9]], "new"],
  [
    "seen again",
    [
      [2, 9],
      [1, 9],
    ],
    "recurring",
  ],
  [
    "gone, with enough that could have shown it",
    [
      [2, 9],
      [0, 2],
    ],
    "resolved",
  ],
  [
    "not met by anybody",
    [
      [2, 9],
      [0, 0],
    ],
    "new",
  ],
  [
    "met by too few",
    [
      [4, 9],
      [0, 3],
    ],
    "new",
  ],
  [
    "five clean ones are always enough",
    [
      [40, 90],
      [0, 5],
    ],
    "resolved",
  ],
  [
    "back",
    [
      [2, 9],
      [0, 9],
      [1, 9],
    ],
    "regressed",
  ],
  [
    "back to stay",
    [
      [2, 9],
      [0, 9],
      [1, 9],
      [1, 9],
    ],
    "recurring",
  ],
  [
    "stays gone",
    [
      [2, 9],
      [0, 9],
      [0, 0],
    ],
    "resolved",
  ],
])("%s", (_, scopes, status) => {
  expect(through(...scopes)?.status).toBe(status);
});

test("counts the scopes that showed it, and says since when", () => {
  expect(through([2, 9], [0, 9], [3, 9])).toEqual({
    status: "regressed",
    occurrenceCount: 2,
    lastCount: 3,
    firstSeenAt: 0,
    lastSeenAt: 2,
    resolvedAt: null,
  });
});
