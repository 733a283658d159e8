import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson, digestOf } from "./canonical.ts";

describe("canonical JSON", () => {
  test.each([
    ["sorted keys at every depth", { b: 1, a: [{ d: 2, c: 3 }] }, '{"a":[{"c":3,"d":2}],"b":1}'],
    ["keys by UTF-16 code unit", { "\u{1f600}": 1, "\uffff": 2, a: 3 }, '{"a":3,"\u{1f600}":1,"\uffff":2}'],
    ["an undefined field is left out", { a: undefined, b: null }, '{"b":null}'],
    ["undefined in a list is null", [undefined, 1], "[null,1]"],
    // biome-ignore lint/suspicious/noSparseArray: the hole is what is tested
    ["a hole in a list is null", [, 1], "[null,1]"],
    ["minus zero is zero", -0, "0"],
    ["shortest round trip", [0.1, 1e21, 100], "[0.1,1e+21,100]"],
    ["no prototype", Object.assign(Object.create(null), { z: 1 }), '{"z":1}'],
  ])("%s", (_, value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  const cycle: unknown[] = [];
  cycle.push({ cycle });
  test.each([
    ["NaN", Number.NaN],
    ["infinity", [Number.POSITIVE_INFINITY]],
    ["a function", () => 1],
    ["a symbol", { a: Symbol("x") }],
    ["a bigint", 1n],
    ["a class instance", new Date(0)],
    ["a map", new Map()],
    ["a cycle", cycle],
    ["undefined itself", undefined],
  ])("%s throws", (_, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });

  test("a value that is shared but not cyclic is written twice", () => {
    const shared = { a: 1 };
    expect(canonicalJson([shared, shared])).toBe('[{"a":1},{"a":1}]');
  });

  test("any JSON value reads back equal, and the order of keys does not change its digest", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (value) => {
        const turned = Object.fromEntries(Object.entries(value).reverse());
        expect(digestOf(turned)).toBe(digestOf(value));
        expect(canonicalJson(JSON.parse(canonicalJson(value)))).toBe(canonicalJson(value));
      }),
    );
  });

  test("the digest is SHA-256 of the text", () => {
    expect(digestOf({})).toBe("44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
  });
});
