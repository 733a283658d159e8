import { describe, expect, test } from "vitest";
import { isJsonObject, parseExact, tryParse, withKey } from "./json-exact.ts";

test("a number keeps its spelling", () => {
  const text = '{"a":1.10,"b":12345678901234567890}';
  expect(JSON.stringify(parseExact(text))).toBe(text);
});

test("a text that is no JSON says why", () => {
  expect(tryParse("{}")).toEqual({ ok: true, value: {} });
  expect(tryParse("{")).toEqual({ ok: false, reason: expect.stringMatching(/\w/) });
});

test.each([
  [{}, true],
  [{ a: 1 }, true],
  [[], false],
  [null, false],
  ["{}", false],
  [parseExact("12345678901234567890"), false],
])("%j is an object: %s", (value, isObject) => {
  expect(isJsonObject(value)).toBe(isObject);
});

describe("a key of an object", () => {
  const object = { a: 1, b: 2, c: 3 };
  test.each([
    ["changed, in its place", "b", 9, '{"a":1,"b":9,"c":3}'],
    ["added, at the end", "d", 4, '{"a":1,"b":2,"c":3,"d":4}'],
    ["left out", "b", undefined, '{"a":1,"c":3}'],
    ["that is none left out", "d", undefined, '{"a":1,"b":2,"c":3}'],
    ["of the prototype's name", "__proto__", 5, '{"a":1,"b":2,"c":3,"__proto__":5}'],
  ])("is %s", (_, key, value, text) => {
    expect(JSON.stringify(withKey(object, key, value))).toBe(text);
    expect(object).toEqual({ a: 1, b: 2, c: 3 });
  });
});
