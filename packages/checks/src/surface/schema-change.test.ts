import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareSchemas, type Shift } from "./schema-change.ts";

const shifts = (before: unknown, after: unknown): Shift[] =>
  compareSchemas(before, after).map(({ shift }) => shift);

describe("one keyword at a time", () => {
  test.each<[Shift, unknown, unknown]>([
    ["narrows", { type: ["string", "null"] }, { type: "string" }],
    ["widens", { type: "integer" }, { type: "number" }],
    ["shifts", { type: "string" }, { type: "number" }],
    ["narrows", {}, { enum: ["a"] }],
    ["widens", { const: "a" }, { enum: ["a", "b"] }],
    ["narrows", { minimum: 1 }, { exclusiveMinimum: 1 }],
    ["widens", { maxLength: 5 }, {}],
    ["narrows", { multipleOf: 2 }, { multipleOf: 4 }],
    ["shifts", { multipleOf: 2 }, { multipleOf: 3 }],
    ["shifts", { pattern: "a" }, { pattern: "b" }],
    ["narrows", { additionalProperties: true }, { additionalProperties: false }],
    ["widens", { anyOf: [{ type: "string" }] }, { anyOf: [{ type: "string" }, { type: "null" }] }],
    ["narrows", { allOf: [{ minimum: 1 }] }, { allOf: [{ minimum: 1 }, { maximum: 9 }] }],
    ["widens", { oneOf: [{ type: "string" }] }, { oneOf: [{ type: "string" }, { type: "null" }] }],
    ["shifts", { oneOf: [{ minimum: 1 }] }, { oneOf: [{ minimum: 1 }, { maximum: 5 }] }],
    ["text", { description: "a" }, { description: "b" }],
    ["neutral", { default: 1 }, { default: 2 }],
    ["shifts", {}, { if: { type: "string" } }],
    ["narrows", { items: { type: "number" } }, { items: { type: "integer" } }],
  ])("%s: %j to %j", (shift, before, after) => {
    expect(shifts(before, after)).toEqual([shift]);
  });

  test("branches of oneOf that exclude each other by a property are told apart", () => {
    const branch = (kind: string) => ({
      type: "object",
      properties: { kind: { const: kind } },
      required: ["kind"],
    });
    expect(shifts({ oneOf: [branch("a")] }, { oneOf: [branch("a"), branch("b")] })).toEqual(["widens"]);
  });
});

describe("references", () => {
  const node = (value: object) => ({
    $ref: "#/$defs/node",
    $defs: { node: { type: "object", properties: { value, next: { $ref: "#/$defs/node" } } } },
  });

  test("are followed, round in a circle too", () => {
    expect(compareSchemas(node({ type: "integer" }), node({ type: "number" }))).toEqual([
      { path: "/properties/value/type", shift: "widens", before: "integer", after: "number" },
    ]);
    expect(compareSchemas(node({ type: "integer" }), node({ type: "integer" }))).toEqual([]);
  });

  test("that lead out of the document are not guessed about", () => {
    expect(shifts({ $ref: "https://a.example/x" }, { $ref: "https://a.example/y" })).toEqual(["shifts"]);
  });

  test("that multiply end in bounded time", () => {
    const levels = 40;
    const bomb = (leaf: object) => ({
      $ref: "#/$defs/d0",
      $defs: Object.fromEntries([
        ...Array.from({ length: levels }, (_, n) => {
          const next = { $ref: `#/$defs/d${n + 1}` };
          return [
            `d${n}`,
            { anyOf: [{ properties: { a: next } }, { properties: { b: next, c: { title: String(n) } } }] },
          ];
        }),
        [`d${levels}`, leaf],
      ]),
    });
    const started = performance.now();
    expect(compareSchemas(bomb({ type: "string" }), bomb({ type: "null" })).length).toBeGreaterThan(0);
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

/** Schemas of the keywords that are reasoned about, small enough that random values meet them. */
const { schema } = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({ type: fc.constantFrom("string", "integer", "number", "boolean", "null") }),
    fc.record({ enum: fc.uniqueArray(fc.constantFrom(1, 2, "a", null), { minLength: 1, maxLength: 3 }) }),
    fc.record({ type: fc.constant("integer"), minimum: fc.integer({ min: 0, max: 3 }) }),
    fc.record({ type: fc.constant("string"), maxLength: fc.integer({ min: 0, max: 2 }) }),
    fc.record({ type: fc.constant("array"), items: tie("schema"), maxItems: fc.integer({ min: 0, max: 3 }) }),
    fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
    fc.record({ oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
    fc.record({ not: tie("schema") }),
    fc.record(
      {
        type: fc.constant("object"),
        properties: fc.dictionary(fc.constantFrom("a", "b", "c"), tie("schema"), { maxKeys: 3 }),
        required: fc.uniqueArray(fc.constantFrom("a", "b", "c"), { maxLength: 2 }),
        additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
      },
      { requiredKeys: ["type", "properties"] },
    ),
  ),
}));

const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(0, 1, 2, 3, 1.5, "", "a", "abc", true, null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 3 }),
  ),
})).value;

const ajv = new Ajv2020({ strict: false });

/** A second schema that is often related to the first, so that something can be said of the two. */
const pair = fc.oneof(
  fc.tuple(schema, schema),
  fc.tuple(schema, schema).map(([before, more]) => [{ anyOf: [before] }, { anyOf: [before, more] }] as const),
  fc.tuple(schema, schema).map(([before, more]) => {
    const open = { type: "object", properties: { a: before } };
    return [open, { ...open, properties: { a: before, d: more } }] as const;
  }),
  fc.tuple(schema, fc.integer({ min: 0, max: 3 })).map(([before, least]) => {
    const bounded = { type: "array", items: before, minItems: least };
    return [bounded, { ...bounded, minItems: Math.max(0, least - 1) }] as const;
  }),
);

describe("what is said of a change is true of values", () => {
  test("a value that was accepted still is, unless the change narrows or shifts", () => {
    fc.assert(
      fc.property(pair, fc.array(value, { maxLength: 10 }), ([before, after], values) => {
        const found = shifts(before, after);
        fc.pre(!found.includes("narrows") && !found.includes("shifts"));
        // A newly declared property is neutral because it is not sent; values here hold a, b and c, never d.
        fc.pre(!found.includes("neutral") || JSON.stringify(after).includes('"d"'));
        const was = ajv.compile(before);
        const is = ajv.compile(after);
        for (const instance of values) {
          if (was(instance)) expect(is(instance), JSON.stringify(instance)).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });

  test("a change read backwards is its opposite, where nothing is left open", () => {
    const opposite: Record<Shift, Shift> = {
      narrows: "widens",
      widens: "narrows",
      shifts: "shifts",
      neutral: "neutral",
      text: "text",
    };
    const plain = fc.record({
      type: fc.constantFrom("string", "integer", "number", ["string", "null"]),
      maxLength: fc.integer({ min: 0, max: 3 }),
      minimum: fc.integer({ min: 0, max: 3 }),
      description: fc.constantFrom("a", "b"),
    });
    fc.assert(
      fc.property(plain, plain, (before, after) => {
        const forth = shifts(before, after).map((shift) => opposite[shift]);
        expect(shifts(after, before)).toEqual(forth);
      }),
    );
  });

  test("nothing changes when nothing changes", () => {
    fc.assert(
      fc.property(schema, (same) => {
        expect(compareSchemas(same, structuredClone(same))).toEqual([]);
      }),
    );
  });
});
