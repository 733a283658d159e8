import { expect, test } from "vitest";
import { must } from "./must.ts";

test("what is there is given back, also when it is false, empty or 0", () => {
  expect([false, "", 0].map((value) => must(value, "a value"))).toEqual([false, "", 0]);
});

test.each([undefined, null])("%s ends the work with the name of what is missing", (value) => {
  expect(() => must(value, "a tally for each run")).toThrow("Missing: a tally for each run.");
});
