import fc from "fast-check";
import { expect, test } from "vitest";
import { JsonMeter, parseJsonWithin } from "./json-text.ts";

const limits = { jsonDepth: 8, jsonElements: 100 };
const wide = { jsonDepth: 1_000, jsonElements: 1_000_000 };

test("whatever JSON.parse reads, this reads the same", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseJsonWithin(text, wide)).toEqual({ ok: true, value: JSON.parse(text) });
    }),
  );
});

test("no text makes it throw", () => {
  fc.assert(fc.property(fc.string(), (text) => void parseJsonWithin(text, limits)));
});

test("depth and element count are capped before parsing", () => {
  expect(parseJsonWithin("[".repeat(9) + "]".repeat(9), limits)).toMatchObject({ ok: false, limit: true });
  expect(parseJsonWithin(`[${"1,".repeat(101)}1]`, limits)).toMatchObject({ ok: false, limit: true });
  expect(parseJsonWithin("nonsense", limits)).toMatchObject({ ok: false, limit: false });
});

test("brackets and commas inside strings do not count", () => {
  const text = JSON.stringify({ text: `${"[{,".repeat(500)}\\"\\\\` });
  expect(parseJsonWithin(text, limits)).toMatchObject({ ok: true });
});

test("a megabyte of brackets costs a scan, not a stack", () => {
  expect(parseJsonWithin("[".repeat(1_000_000), limits)).toMatchObject({ ok: false, limit: true });
});

test("long numbers outside strings keep their digits; the rest is read as ever", () => {
  const text =
    '{"id":[12345678901234567890,{"x":-9007199254740993}],"text":"12345678901234567890","n":1.5e3}';
  const parsed = parseJsonWithin(text, limits);
  expect(parsed.ok && JSON.stringify(parsed.value)).toBe(text.replace("1.5e3", "1500"));
  const short = parseJsonWithin('{"text":"12345678901234567890","n":123456789012345}', limits);
  expect(short).toEqual({ ok: true, value: { text: "12345678901234567890", n: 123456789012345 } });
});

test("a text measured in pieces, as bytes, is found to be what it is as a whole", () => {
  const words = fc.constantFrom('"', "\\", "[", "]", "{", "}", ",", ":", "1e5", "12345678", "ü", " ", "a");
  const found = (pieces: string[]) => {
    const meter = new JsonMeter(limits);
    for (const piece of pieces) meter.push(piece);
    return { excess: meter.excess, hasLongNumber: meter.hasLongNumber };
  };
  fc.assert(
    fc.property(fc.array(words, { maxLength: 300 }), fc.integer({ min: 1, max: 9 }), (parts, size) => {
      const text = parts.join("");
      const bytes = Buffer.from(text).toString("latin1");
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.slice(at * size, (at + 1) * size),
      );
      const { excess, hasLongNumber } = found([text]);
      const inPieces = found(pieces);
      expect(inPieces.excess).toBe(excess);
      // What is too much is not looked at any further, and a piece may end before the excess does.
      if (excess === undefined) expect(inPieces.hasLongNumber).toBe(hasLongNumber);
    }),
  );
});

test.each([
  "Q-secret-of-somebody and more text that follows",
  '{"a": Q-secret',
  "{} Q-secret",
  "Q",
  '["a" Q-secret]',
])("says why %s is no JSON without quoting it", (text) => {
  const { reason } = parseJsonWithin(text, wide) as { reason: string };
  expect(reason).toMatch(/^(Unexpected|Expected|not JSON)/);
  expect(reason).not.toContain("Q-s");
});
