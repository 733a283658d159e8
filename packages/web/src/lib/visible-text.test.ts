import { expect, test } from "vitest";
import { visibleSpans, visibleWords } from "./visible-text.ts";

test.each([
  ["a\u200bb", "aU+200Bb", "zero-width space"],
  ["a\u202eb", "aU+202Eb", "right-to-left override"],
  ["a\0b", "aU+0000b", "null"],
  ["a\u{e0041}b", "aU+E0041b", "invisible character"],
])("a character that hides is shown by its code and name: %j", (text, shown, name) => {
  expect(visibleWords(text)).toBe(shown);
  expect(visibleSpans(text).filter(({ kind }) => kind === "hidden")).toMatchObject([{ name }]);
});

test("lines and tabs stay what they are", () => {
  expect(visibleWords("a\n\tb\r\n")).toBe("a\n\tb\r\n");
  expect(visibleSpans("a\nb").every(({ kind }) => kind === "plain")).toBe(true);
});
