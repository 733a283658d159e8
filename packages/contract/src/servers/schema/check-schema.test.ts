import * as checker from "@cfworker/json-schema";
import { expect, test } from "vitest";
import { schemaJudge } from "./check-schema.ts";
import { notCheckedText } from "./guard-schema.ts";

const judge = schemaJudge(checker);
const evil = "^(a+)+$";
const victim = `${"a".repeat(40)}!`;

test.each<[where: string, schema: Record<string, unknown>, value: unknown]>([
  ["a pattern", { pattern: evil }, victim],
  ["a pattern in a property", { properties: { pattern: { pattern: evil } } }, { pattern: victim }],
  [
    "a pattern of property names",
    { patternProperties: { [evil]: true }, additionalProperties: false },
    { [victim]: 1 },
  ],
  ["propertyNames", { propertyNames: { pattern: evil } }, { [victim]: 1 }],
  ["a reference", { $ref: "#/$defs/a", $defs: { a: { pattern: evil } } }, victim],
  ["a reference to an unknown keyword", { $ref: "#/x/pattern", x: { pattern: { pattern: evil } } }, victim],
  ["dependencies taken for a schema", { $ref: "#/dependencies", dependencies: { pattern: [evil] } }, victim],
  [
    "dependentRequired taken for a schema",
    { $ref: "#/dependentRequired", dependentRequired: { pattern: [evil] } },
    victim,
  ],
  ["examples taken for a schema", { $ref: "#/examples", examples: { pattern: evil } }, victim],
  ["a list as pattern", { pattern: [evil], type: "number" }, victim],
  ["an anchor", { $ref: "#a", allOf: [{ $anchor: "a", pattern: evil }] }, victim],
  ["a condition", { if: { pattern: evil }, else: false }, victim],
  ["the format url", { format: "url", type: "number" }, `http://${victim}`],
])("%s that would run for years is judged at once", (_where, schema, value) => {
  let faults: unknown[];
  try {
    ({ faults } = judge(schema, value));
  } catch (error) {
    // A reference that leads nowhere is a fault of the schema.
    faults = [error];
  }
  expect(faults).not.toEqual([]);
});

test.each<[schema: Record<string, unknown>, good: unknown, bad: unknown]>([
  [{ pattern: "^\\d{5}$" }, "12345", "1234"],
  [{ pattern: "^a", format: "ipv4" }, 5, "a"],
  [{ not: { pattern: "^a" } }, "b", "a"],
  [{ anyOf: [{ pattern: "^a" }, { pattern: "b$" }] }, "b", "c"],
  [{ patternProperties: { "^x-": { type: "string" } } }, { "x-a": "1", y: 1 }, { "x-a": 1 }],
  [
    {
      properties: { xa: { type: "string" } },
      patternProperties: { "^x": { minLength: 2 } },
      additionalProperties: false,
    },
    { xa: "ab", xb: "cd" },
    { xa: "a" },
  ],
  [{ patternProperties: { "^x": true }, additionalProperties: false }, { x: 1 }, { y: 1 }],
  [{ patternProperties: { "^x": true }, unevaluatedProperties: false }, { x: 1 }, { y: 1 }],
  [{ propertyNames: { pattern: "^[a-z]+$" } }, { a: 1 }, { A: 1 }],
  [{ dependentRequired: { pattern: ["b"] } }, { pattern: 1, b: 2 }, { pattern: 1 }],
  [{ dependencies: { a: { required: ["b"] } } }, "text", { a: 1 }],
  [{ enum: [{ pattern: "x" }] }, { pattern: "x" }, { pattern: "y" }],
  [{ format: "constructor", type: "string" }, "x", 1],
  [{ format: "pattern 0", pattern: "^a$" }, "a", "b"],
  [{ $schema: "http://json-schema.org/draft-07/schema#", items: [{ pattern: "^a" }] }, ["a"], ["b"]],
])("%j fits %j and not %j", (schema, good, bad) => {
  expect(judge(schema, good)).toEqual({ faults: [], unchecked: [] });
  const { faults, unchecked } = judge(schema, bad);
  expect(faults).not.toEqual([]);
  expect(unchecked).toEqual([]);
});

test("a fault of a pattern says where it is and what is wrong", () => {
  const schema = { properties: { zip: { type: "string", pattern: "^\\d{5}$" } } };
  expect(judge(schema, { zip: "1234" }).faults).toEqual([
    { at: "zip", keyword: "pattern", message: "String does not match pattern." },
  ]);
});

test.each<[schema: Record<string, unknown>, value: unknown, said: string]>([
  [{ pattern: "^(?=a)b" }, "a", "pattern ^(?=a)b was not checked: it looks ahead or behind"],
  [{ not: { pattern: "(a)\\1" } }, "aa", "pattern (a)\\1 was not checked: it refers back to a group"],
  [
    { pattern: "(?P<a>x)" },
    "x",
    "pattern (?P<a>x) was not checked: it is not a regular expression of ECMAScript",
  ],
  [
    { patternProperties: { "^(?!x)": { type: "number" } }, additionalProperties: false },
    { y: "text" },
    "patternProperties ^(?!x) was not checked: it looks ahead or behind",
  ],
  [{ pattern: 5 }, "5", "pattern 5 was not checked: it is not a text"],
  [
    { pattern: "^(a|b)*$" },
    "a".repeat(2_000_000),
    "pattern ^(a|b)*$ was not checked: it takes too many steps on so long a text",
  ],
  [{ $dynamicRef: "#node" }, 1, "$dynamicRef #node was not checked: it is resolved only while it is applied"],
])("%j is not passed over, and is no fault", (schema, value, said) => {
  const { faults, unchecked } = judge(schema, value);
  expect(faults).toEqual([]);
  expect(unchecked.map(notCheckedText)).toEqual([said]);
});

test("beside what cannot be told, what can be told is told", () => {
  const schema = { properties: { a: { pattern: "(?=x)" }, b: { type: "number" } } };
  const { faults, unchecked } = judge(schema, { a: "y", b: "z" });
  expect(faults).toMatchObject([{ at: "b" }]);
  expect(unchecked).toHaveLength(1);
});

test("nothing of one judgement is left for the next", () => {
  judge({ pattern: "^a$" }, "a");
  expect(judge({ format: "pattern 0" }, "b").faults).toEqual([]);
});

test("ten thousand names under many patterns are still judged, or said not to be", () => {
  const names = Array.from({ length: 10_000 }, (_, at) => `name${at}`);
  const patterns = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`^n{${at + 1}}|e`, true]));
  const { unchecked } = judge(
    { patternProperties: patterns },
    Object.fromEntries(names.map((name) => [name, 1])),
  );
  expect(unchecked[0]).toMatchObject({ keyword: "patternProperties", reason: "is laid on too many names" });
});
