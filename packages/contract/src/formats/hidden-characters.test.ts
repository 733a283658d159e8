import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeHidden, hiddenSpans } from "./hidden-characters.ts";

test.each([
  ["an eight-bit control", "\u009b2J", '"\\u009b2J"'],
  ["delete", "\u007f", '"\\u007f"'],
  ["a right-to-left override", "\u202egpj.exe", '"\\u202egpj.exe"'],
  ["a zero-width space", "pay\u200bpal", '"pay\\u200bpal"'],
  ["a byte order mark", "\ufeff", '"\\ufeff"'],
  ["a tag", "\u{e0041}", '"\\udb40\\udc41"'],
  ["a line separator", "\u2028", '"\\u2028"'],
  ["ordinary text", "naïve 日本語\n", '"naïve 日本語\\n"'],
])("%s in JSON is escaped, and the same text when read", (_what, text, json) => {
  expect(escapeHidden(JSON.stringify(text))).toBe(json);
  expect(JSON.parse(json)).toBe(text);
});

test("whatever JSON is escaped, it reads the same, and holds nothing hidden but its line breaks", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary" }), fc.constantFrom(0, 2), (value, indent) => {
      const written = escapeHidden(JSON.stringify(value, null, indent));
      expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(hiddenSpans(written.replaceAll("\n", "")).filter(({ kind }) => kind === "hidden")).toEqual([]);
    }),
  );
});

test("the parts of an emoji are not hidden; outside of one they are", () => {
  expect(hiddenSpans("👩‍💻 a\u200db")).toEqual([
    { kind: "plain", text: "👩‍💻 a" },
    { kind: "hidden", text: "\u200d", code: 0x200d },
    { kind: "plain", text: "b" },
  ]);
});
