import fc from "fast-check";
import { expect, it } from "vitest";
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

it("leaves out what is undefined", () => {
  expect(canonicalJson({ b: undefined, a: [{ d: 2, c: -0 }] })).toBe('{"a":[{"c":0,"d":2}]}');
});
