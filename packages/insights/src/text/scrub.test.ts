/** What of somebody's words may be shown, and how much. */
import { expect, test } from "vitest";
import { counted, excerptOf, identifierOf } from "./scrub.ts";

test.each([
  ["spaces and line ends around and between", "  one\n\n two\t", 40, "one two"],
  ["words that are just as long as may be", "one two", 7, "one two"],
])("an excerpt has one line: %s", (_, text, length, shown) => {
  expect(excerptOf(text, length)).toBe(shown);
});

test("an excerpt that is cut says so, and is no longer than may be", () => {
  const shown = excerptOf("one two three four", 9);
  expect(shown.length).toBeLessThanOrEqual(9);
  expect(shown).toMatch(/^one .*\u2026$/);
});

test("an excerpt hides what the caller knows to be secret before it is cut", () => {
  const hide = (said: string) => said.replaceAll("hunter22", "[hidden]");
  expect(excerptOf("it is hunter22 for all", 14, hide)).not.toContain("hunter");
});

test.each([
  ['wrap\n"gift"  <b>', "wrap gift b"],
  [" `get_book` ", "get_book"],
])("a name stands in a line as plain words: %j", (text, shown) => {
  expect(identifierOf(text)).toBe(shown);
});

test.each([
  [0, "0 calls"],
  [1, "1 call"],
  [2, "2 calls"],
])("%d is counted", (count, shown) => {
  expect(counted(count, "call")).toBe(shown);
});
