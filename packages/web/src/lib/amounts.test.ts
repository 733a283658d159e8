import { expect, test } from "vitest";
import { dollars, percent, took } from "./amounts.ts";

test.each([
  [0, "0 %"],
  [0.29, "29 %"],
  [0.57, "57 %"],
  [1 / 3, "33.3 %"],
  [1, "100 %"],
])("a share of %d reads %s", (share, words) => {
  expect(percent(share)).toBe(words);
});

test.each([
  [0, "0 ms"],
  [999.4, "999 ms"],
  [999.6, "1.0 s"],
  [1_000, "1.0 s"],
  [59_940, "59.9 s"],
  [59_960, "1 min 0 s"],
  [60_000, "1 min 0 s"],
  [90_400, "1 min 30 s"],
  [119_900, "2 min 0 s"],
  [3_599_600, "60 min 0 s"],
])("%d ms read %s", (ms, words) => {
  expect(took(ms)).toBe(words);
});

test.each([
  [0, "$0.00"],
  [0.0012, "$0.0012"],
  [0.99, "$0.9900"],
  [1, "$1.00"],
  [12.345, "$12.35"],
])("%d dollars read %s", (usd, words) => {
  expect(dollars(usd)).toBe(words);
});
