import fc from "fast-check";
import { expect, test } from "vitest";
import { render, text } from "./text.ts";
import { makeVisible } from "./visible.ts";

test.each([
  ["a colour", "\u001b[31mred", "␛[31mred"],
  ["a window title", "\u001b]0;x\u0007", "␛]0;x␇"],
  ["an eight-bit control", "\u009b31m", "<U+009B>31m"],
  ["a line break", "a\r\nb", "a␍␊b"],
  ["a right-to-left override", "\u202egpj.exe", "<U+202E>gpj.exe"],
  ["an isolate", "\u2066x\u2069", "<U+2066>x<U+2069>"],
  ["a zero-width space", "pay\u200bpal", "pay<U+200B>pal"],
  ["a byte order mark", "\ufeffx", "<U+FEFF>x"],
  ["a line separator", "a\u2028b", "a<U+2028>b"],
  ["a tag", "x\u{e0041}", "x<U+E0041>"],
  ["a filler", "x\u3164", "x<U+3164>"],
  ["a lone surrogate", "x\ud800", "x<U+D800>"],
  ["delete", "x\u007f", "x␡"],
])("%s is shown", (_, hidden, shown) => {
  expect(makeVisible(hidden)).toBe(shown);
});

test.each(["plain", "naïve café", "日本語", "👩‍👩‍👧 ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣", "ελληνικά"])("%s stays as it is", (seen) => {
  expect(makeVisible(seen)).toBe(seen);
});

test("a joiner outside of an emoji is shown, inside it is not", () => {
  expect(makeVisible("a\u200db 👩‍💻")).toBe("a<U+200D>b 👩‍💻");
});

test("line breaks stay where lines are meant", () => {
  expect(makeVisible("a\n\u001bb", { lines: true })).toBe("a\n␛b");
});

test("nothing filled into a text reaches the terminal as a control", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (anything) => {
      const written = render(text`<${anything}>`, { colour: false });
      expect(written).not.toMatch(/[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u);
    }),
  );
});
