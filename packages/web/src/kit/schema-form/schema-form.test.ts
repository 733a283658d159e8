import { isExactNumber, isSameJson } from "@fettle/contract/formats";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isJsonObject, type Json, type JsonObject, parseExact } from "../../lib/json-exact.ts";
import { awkwardSchemas } from "./awkward-schemas.ts";
import { type Field, fieldOf } from "./field.ts";
import { type FormState, fromText, readNumber, setAt, setDraft } from "./form-state.ts";
import {
  blankValue,
  fits,
  missingParts,
  optionOf,
  type Path,
  schemaOfOther,
  startingValue,
} from "./value.ts";

const kindOf = (schema: Json, root: Json = schema) => fieldOf(schema, root).kind;

describe("what a schema becomes", () => {
  test.each<[string, Json, Field["kind"]]>([
    ["a plain type", { type: "string" }, "string"],
    ["a nullable type", { type: ["integer", "null"] }, "number"],
    ["OpenAPI's nullable", { type: "string", nullable: true }, "string"],
    ["several types", { type: ["string", "number"] }, "union"],
    ["anyOf with null", { anyOf: [{ type: "string" }, { type: "null" }] }, "string"],
    ["oneOf of constants", { oneOf: [{ const: "a" }, { const: "b", title: "B" }] }, "enum"],
    ["no type but properties", { properties: { a: true } }, "object"],
    ["nothing at all", {}, "json"],
    ["true", true, "json"],
    ["false", false, "json"],
    ["a type that does not exist", { type: "file" }, "json"],
    ["a remote reference", { $ref: "https://example.com/s.json" }, "json"],
    ["a reference to itself alone", { $ref: "#" }, "json"],
    [
      "allOf that agrees",
      { allOf: [{ type: "object", properties: { a: true } }, { required: ["a"] }] },
      "object",
    ],
    ["allOf that disagrees", { allOf: [{ type: "string" }, { type: "number" }] }, "json"],
    [
      "anyOf of required sets only",
      { type: "object", properties: { a: true }, anyOf: [{ required: ["a"] }] },
      "object",
    ],
    [
      "a tuple in draft-07 words",
      { type: "array", items: [{ type: "string" }], additionalItems: false },
      "list",
    ],
  ])("%s", (_, schema, kind) => {
    expect(kindOf(schema)).toBe(kind);
  });

  test("parts of allOf may describe a value in words of their own: the last ones count", () => {
    const schema: Json = {
      title: "Outer",
      allOf: [
        { type: "string", title: "First", description: "One" },
        { title: "Second", description: "Two" },
      ],
    };
    expect(fieldOf(schema, schema)).toMatchObject({ kind: "string", description: "Two" });
  });

  test("nullable unions collapse to what is inside, with the words from outside", () => {
    const schema: Json = {
      description: "Outer",
      anyOf: [{ type: "string", description: "Inner" }, { type: "null" }],
    };
    expect(fieldOf(schema, schema)).toMatchObject({ kind: "string", nullable: true, description: "Outer" });
  });

  test("a remote reference is named, not fetched", () => {
    const schema = { $ref: "https://example.com/s.json" };
    expect(fieldOf(schema, schema)).toMatchObject({ reason: expect.stringContaining(schema.$ref) });
  });

  test("keys outside the properties take the schema of their pattern, or of all others", () => {
    const schema = {
      type: "object",
      patternProperties: { "^x-": { type: "number" } },
      additionalProperties: { type: "string" },
    };
    const field = fieldOf(schema, schema) as Extract<Field, { kind: "object" }>;
    expect(schemaOfOther(field, "x-a")).toEqual({ type: "number" });
    expect(schemaOfOther(field, "a")).toEqual({ type: "string" });
  });

  test("rules the form cannot draw are named", () => {
    const schema = { type: "object", if: {}, not: {} };
    expect(fieldOf(schema, schema).notes).toEqual(["if", "not"]);
  });
});

describe.each(Object.entries(awkwardSchemas))("%s", (_, schema) => {
  test("every part of it can be drawn, and an empty form starts with what its fields can show", () => {
    const start = startingValue(schema, schema);
    if (start !== undefined) expect(fits(fieldOf(schema, schema), start, schema)).toBe(true);
    expect(walk(schema, schema, 6)).toBeGreaterThan(0);
  });

  test("no value is changed by being shown, edited back and forth, or read as JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const state: FormState = { value: value as Json, drafts: {} };
        expect(() => draw(schema, schema, state.value, [], 0)).not.toThrow();
        for (const path of pathsOf(state.value!)) {
          const touched = setAt(state, path, valueAt(state.value!, path));
          expect(JSON.stringify(touched.value!)).toBe(JSON.stringify(state.value!));
        }
        const text = JSON.stringify(state.value!, null, 2);
        expect(fromText({ value: undefined, drafts: {} }, text)).toEqual({
          value: parseExact(text),
          drafts: {},
        });
      }),
      { numRuns: 25 },
    );
  });
});

test("recursive schemas are drawn as deep as the value goes and no deeper", () => {
  const schema = awkwardSchemas["recursive tree"]!;
  expect(startingValue(schema, schema)).toEqual({});
  const value = { name: "a", children: [{ name: "b", children: [] }] };
  expect(missingParts(schema, schema, value)).toEqual([]);
  expect(missingParts(schema, schema, { children: [{}] })).toEqual([["name"], ["children", 0, "name"]]);
});

test("a discriminated choice is recognised by its constant", () => {
  const options = (fieldOf(awkwardSchemas["discriminated union"]!, {}) as Extract<Field, { kind: "union" }>)
    .options;
  expect(options.map(({ label }) => label)).toEqual(["kind: circle", "kind: square"]);
  expect(optionOf(options, { kind: "square", side: 1 }, {})).toBe(1);
});

test("a shape that was picked stays so while nothing speaks against it", () => {
  const object = (properties: JsonObject, required: string[]) => ({
    label: "",
    schema: { type: "object", properties, required },
  });
  const alike = ["a", "b"].map((name) => object({ [name]: { type: "string" } }, [name]));
  expect(optionOf(alike, {}, {})).toBe(0);
  expect(optionOf(alike, {}, {}, 1)).toBe(1);
  expect(optionOf(alike, "text", {}, 1)).toBeUndefined();
  const told = ["x", "y"].map((kind) => object({ kind: { const: kind } }, ["kind"]));
  expect(optionOf(told, { kind: "x" }, {}, 1)).toBe(0);
});

test("defaults fill in once; optional fields without one stay absent", () => {
  const schema = {
    type: "object",
    properties: { a: { default: 1 }, b: { type: "string" }, c: { const: "x" } },
    required: ["c"],
  };
  expect(startingValue(schema, schema)).toEqual({ a: 1, c: "x" });
});

test("absent, null and empty are three things", () => {
  const state: FormState = { value: {}, drafts: {} };
  expect(setAt(state, ["a"], "").value).toEqual({ a: "" });
  expect(setAt(state, ["a"], null).value).toEqual({ a: null });
  expect(setAt(setAt(state, ["a"], ""), ["a"], undefined).value).toEqual({});
});

test("a draft keeps the value it replaces and goes when the field gets one", () => {
  const state = setDraft({ value: { n: 1 }, drafts: {} }, ["n"], "1x", "Not a number.");
  expect(state).toMatchObject({ value: { n: 1 } });
  expect(Object.keys(setAt(state, ["n"], 2).drafts)).toEqual([]);
  expect(Object.keys(setAt(state, ["m"], 2).drafts)).toHaveLength(1);
});

test("a key named like a trap is a key like any other", () => {
  const value = parseExact('{"__proto__": {"a": 1}, "constructor": 2}');
  const next = setAt({ value, drafts: {} }, ["__proto__", "a"], 3).value!;
  expect(JSON.stringify(next)).toBe('{"__proto__":{"a":3},"constructor":2}');
});

test.each<[string, boolean, string | undefined]>([
  ["9007199254740993", true, "9007199254740993"],
  ["1.0", false, "1.0"],
  ["-0", true, "-0"],
  ["1e400", false, "1e400"],
  ["1.5", true, undefined],
  ["0x10", false, undefined],
  ["1,5", false, undefined],
  ["", false, undefined],
])("the number %j (whole: %j) is sent as %j", (text, integer, sent) => {
  const read = readNumber(text, integer);
  expect(read.ok ? JSON.stringify(read.value) : undefined).toBe(sent);
});

test("exact numbers survive the way through JSON", () => {
  const text = '{"id":12345678901234567890,"ratio":0.10000000000000000001,"list":[1,1.0]}';
  expect(JSON.stringify(parseExact(text))).toBe(text);
  expect(isExactNumber(parseExact("12345678901234567890"))).toBe(true);
  expect(isSameJson(parseExact('{"a":1,"b":2}'), parseExact('{"b":2,"a":1}'))).toBe(true);
});

/** Counts the fields of a schema, a few levels deep. */
function walk(schema: Json, root: Json, depth: number): number {
  const field = fieldOf(schema, root);
  expect(blankValue(schema, root)).not.toBeUndefined();
  if (depth === 0) return 1;
  const inside =
    field.kind === "object"
      ? field.properties.map((each) => each.schema)
      : field.kind === "list"
        ? [...field.first, field.rest]
        : field.kind === "union"
          ? field.options.map((each) => each.schema)
          : [];
  return inside.reduce<number>((sum, each) => sum + walk(each, root, depth - 1), 1);
}

/** Goes the way the fields go: each part is shown by a field that fits it, or as JSON. */
function draw(schema: Json, root: Json, value: Json | undefined, path: Path, depth: number): void {
  const field = fieldOf(schema, root);
  if (value === undefined || depth > 8 || !fits(field, value, root)) return;
  if (field.kind === "object" && isJsonObject(value)) {
    for (const [name, each] of Object.entries(value)) {
      const property = field.properties.find((known) => known.name === name);
      draw(property?.schema ?? schemaOfOther(field, name), root, each, [...path, name], depth + 1);
    }
  }
  if (field.kind === "list" && Array.isArray(value)) {
    value.forEach((item, at) => {
      draw(field.first[at] ?? field.rest, root, item, [...path, at], depth + 1);
    });
  }
  if (field.kind === "union") {
    const chosen = optionOf(field.options, value, root);
    if (chosen !== undefined) draw(field.options[chosen]!.schema, root, value, path, depth + 1);
  }
}

function pathsOf(value: Json, path: Path = []): Path[] {
  const inside = Array.isArray(value)
    ? [...value.entries()]
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  return [path, ...inside.flatMap(([step, each]) => pathsOf(each, [...path, step]))];
}

function valueAt(value: Json, path: Path): Json {
  return path.reduce<Json>((inside, step) => (inside as Record<string | number, Json>)[step]!, value);
}
