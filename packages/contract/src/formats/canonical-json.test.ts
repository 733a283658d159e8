import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { canonicalJson } from "./canonical-json.ts";

/** The same value with every object's fields in the reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}

it("writes a value that reads back as itself", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const wire = JSON.parse(JSON.stringify(value));
      expect(JSON.parse(canonicalJson(wire))).toEqual(wire);
    }),
  );
});

it("writes one text however the fields are ordered", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
    }),
  );
});

it("writes two texts for two values", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const wires = [one, other].map((value) => JSON.stringify(JSON.parse(canonicalJson(value))));
      expect(canonicalJson(one) === canonicalJson(other)).toBe(wires[0] === wires[1]);
    }),
  );
});

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
});
