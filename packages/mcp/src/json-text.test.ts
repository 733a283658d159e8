import fc from "fast-check";
import { expect, test } from "vitest";
import { parseJsonWithin } from "./json-text.ts";

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
