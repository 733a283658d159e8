import { expect, test } from "vitest";
import { parseFlagValue } from "./flag-value.ts";

const temperature = { kind: "number", min: 0, max: 2, value: "n", help: "" } as const;
const name = { kind: "text", maxLength: 5, value: "name", help: "" } as const;

test.each([
  ["0.7", 0.7],
  ["2", 2],
  [".5", 0.5],
])("%s is a number", (typed, value) => {
  expect(parseFlagValue("temperature", temperature, typed)).toBe(value);
});

test.each(["warm", "2.1", "-1", "", "1e9", "0x1", "NaN"])('"%s" is refused with its range', (typed) => {
  expect(() => parseFlagValue("temperature", temperature, typed)).toThrow(
    `--temperature takes a number from 0 to 2, not "${typed}".`,
  );
});

test("a text is as long as its schema allows, before anything is asked", () => {
  expect(parseFlagValue("name", name, "Alpha")).toBe("Alpha");
  expect(() => parseFlagValue("name", name, "Alphas")).toThrow(
    "--name takes at most 5 characters, and this has 6.",
  );
});
