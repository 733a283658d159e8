import { expect, test } from "vitest";
import { exactUtc, timeAgo } from "./time.ts";

const now = Date.UTC(2026, 2, 3, 14, 2, 7);
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

test.each([
  [-10_000, "just now"],
  [-90_000, "1 min. ago"],
  [-3 * hour, "3 hr. ago"],
  [-day, "yesterday"],
  [-9 * day, "9 days ago"],
  [6 * day, "in 6 days"],
  [20_000, "in a moment"],
])("%i ms from now reads %s", (distance, words) => {
  expect(timeAgo(now + distance, now)).toBe(words);
});

test("what is long ago is a date", () => {
  expect(timeAgo(now - 60 * day, now)).toMatch(/^Jan \d, 2026$/);
});

test("the exact instant is told in UTC", () => {
  expect(exactUtc(now)).toBe("2026-03-03 14:02:07 UTC");
});
