import fc from "fast-check";
import { expect, it } from "vitest";
import { mayRepeat, retryAfterSeconds, retryWaitMs } from "./retry.ts";

it.each([
  ["GET", undefined, 503, undefined, true],
  ["POST", undefined, 503, 1, false],
  ["DELETE", undefined, 503, 1, false],
  ["DELETE", undefined, 429, 1, true],
  ["PATCH", undefined, 429, 0, true],
  ["PATCH", undefined, 429, undefined, false],
  ["PATCH", "key", 503, undefined, true],
  ["POST", "key", 503, undefined, true],
])(
  "%s with key %s, refused with %i and Retry-After %s, may be repeated: %s",
  (method, key, status, retryAfter, expected) => {
    expect(mayRepeat(method, key, { status, retryAfter })).toBe(expected);
  },
);

it("never comes back before the service said, and at most a quarter later", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 86_400 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (retryAfter, random) => {
        const wait = retryWaitMs({ attempt: 1, status: 429, retryAfter, random })!;
        expect(wait).toBeGreaterThanOrEqual(retryAfter * 1000);
        expect(wait).toBeLessThanOrEqual(retryAfter * 1250);
      },
    ),
  );
});

it("backs off further each time when the service names no time", () => {
  const waits = [1, 2, 3, 4].map((attempt) =>
    retryWaitMs({ attempt, status: 503, retryAfter: undefined, random: 0 }),
  );
  expect(waits).toEqual([500, 1000, 2000, undefined]);
});

it("goes on where the caller is patient and was only turned away, never hurrying after the fourth attempt", () => {
  const wait = (attempt: number, retryAfter: number | undefined, status = 429) =>
    retryWaitMs({ attempt, status, retryAfter, random: 0, isPatient: true });
  expect([wait(3, 0), wait(4, 0), wait(30, 0), wait(30, 2)]).toEqual([0, 250, 250, 2000]);
  expect([wait(4, undefined), wait(6, undefined)]).toEqual([4000, 16_000]);
  expect(wait(4, 1, 503)).toBeUndefined();
});

it.each([400, 401, 403, 404, 409, 422, 500, 502, 504, 0])("takes %i as final", (status) => {
  expect(retryWaitMs({ attempt: 1, status, retryAfter: 1, random: 0 })).toBeUndefined();
});

it.each([
  [null, undefined],
  ["", undefined],
  ["soon", undefined],
  ["7", 7],
  [new Date(61_000).toUTCString(), 1],
  [new Date(1_000).toUTCString(), 0],
])("reads Retry-After %j as %j seconds", (header, seconds) => {
  expect(retryAfterSeconds(header, 60_000)).toBe(seconds);
});
