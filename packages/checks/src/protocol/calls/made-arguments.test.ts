/** @module Arguments made from schemas: right by the schema, or none. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { madeArguments } from "./made-arguments.ts";
import { judgeContent } from "./output-schema.ts";

const object = (properties: object, required = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
});

test.each([
  ["nothing asked for", object({ a: { type: "string" } }, []), {}],
  ["an example", object({ city: { type: "string", examples: ["Graz"] } }), { city: "Graz" }],
  ["a default before the smallest", object({ n: { type: "integer", default: 7 } }), { n: 7 }],
  [
    "an example of the whole",
    { ...object({ a: { type: "string", pattern: "^z" } }), examples: [{ a: "zoo" }] },
    { a: "zoo" },
  ],
  ["a choice", object({ unit: { enum: ["c", "f"] } }), { unit: "c" }],
  ["a format", object({ when: { type: "string", format: "date" } }), { when: "2026-01-01" }],
  ["a text of one length", object({ a: { type: "string", minLength: 8, maxLength: 8 } }), { a: "fettlexx" }],
  ["a short text", object({ a: { type: "string", maxLength: 3 } }), { a: "fet" }],
  ["a long text", object({ a: { type: "string", minLength: 200 } }), { a: "fettle".padEnd(200, "x") }],
  ["a text too long to be made", object({ a: { type: "string", minLength: 201 } }), undefined],
  ["a text of no length", object({ a: { type: "string", minLength: 4, maxLength: 3 } }), undefined],
  ["bounds", object({ n: { type: "integer", minimum: 3, maximum: 4 } }), { n: 3 }],
  ["a list", object({ ids: { type: "array", minItems: 2, items: { type: "integer" } } }), { ids: [1, 1] }],
  [
    "a reference",
    { ...object({ a: { $ref: "#/$defs/word" } }), $defs: { word: { type: "string" } } },
    { a: "fettle" },
  ],
  [
    "one of several",
    object({ a: { oneOf: [{ type: "string", pattern: "x" }, { type: "boolean" }] } }),
    { a: true },
  ],
  ["a pattern without an example", object({ a: { type: "string", pattern: "^z" } }), undefined],
  [
    "a reference to itself",
    { ...object({ a: { $ref: "#/$defs/b" } }), $defs: { b: { $ref: "#/$defs/b" } } },
    undefined,
  ],
  ["what nothing fits", object({ n: { type: "integer", minimum: 3, maximum: 2 } }), undefined],
  ["no schema", "object", undefined],
])("%s", (_, schema, expected) => {
  expect(madeArguments(schema)).toEqual(expected);
});

const leaf = fc.oneof(
  fc.record({ type: fc.constant("string"), minLength: fc.nat(20) }),
  fc.record({ type: fc.constant("string"), format: fc.constantFrom("date", "email", "uri", "uuid") }),
  fc.record({ type: fc.constant("integer"), minimum: fc.integer({ min: -99, max: 99 }) }),
  fc.record({ type: fc.constant("number"), exclusiveMaximum: fc.integer({ min: -99, max: 99 }) }),
  fc.record({ type: fc.constant("boolean") }),
  fc.record({ enum: fc.array(fc.oneof(fc.string(), fc.integer()), { minLength: 1, maxLength: 3 }) }),
);
const schemas = fc.letrec<{ node: object }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small" },
    leaf,
    fc
      .dictionary(fc.string({ minLength: 1, maxLength: 5 }), tie("node"), { maxKeys: 3 })
      .map((properties) => object(properties)),
    fc.record({ type: fc.constant("array"), minItems: fc.nat(2), items: tie("node") }),
    fc.record({ anyOf: fc.array(tie("node"), { minLength: 1, maxLength: 2 }) }),
  ),
})).node;

test("whatever is made fits its schema, and of ordinary schemas something is made", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ minLength: 1, maxLength: 5 }), schemas, { maxKeys: 4 }),
      (properties) => {
        const schema = object(properties);
        const made = madeArguments(schema);
        expect(made).toBeDefined();
        expect(judgeContent(schema, made)).toEqual({ faults: [], unchecked: [] });
      },
    ),
    { numRuns: 60 },
  );
});

test("nonsense of a server makes nothing wrong and never fails", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (schema) => {
      const made = madeArguments(schema);
      if (made) expect(judgeContent(schema as never, made).faults).toEqual([]);
    }),
    { numRuns: 60 },
  );
});
