import { expect, test } from "vitest";
import type { Json } from "../../lib/json-exact.ts";
import { diffJson } from "./json-diff.ts";

const paths = (before: Json, after: Json) => diffJson(before, after).differences.map(({ path }) => path);

test("names each place that differs, and counts what does not", () => {
  const before = { model: "a", kept: { x: 1, y: [1, 2] }, gone: true };
  const after = { kept: { y: [1, 3], x: 1 }, model: "b", come: null };
  expect(diffJson(before, after)).toEqual({
    differences: [
      { path: ["model"], before: "a", after: "b" },
      { path: ["kept", "y", 1], before: 2, after: 3 },
      { path: ["gone"], before: true, after: undefined },
      { path: ["come"], before: undefined, after: null },
    ],
    same: 2,
  });
});

test("the order of keys and how a number is written do not count", () => {
  expect(paths({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 })).toEqual([]);
});

test("what changes its kind, or its length, is compared whole", () => {
  expect(paths({ a: [1, 2] }, { a: [2] })).toEqual([["a"]]);
  expect(paths({ a: {} }, { a: { b: 1 } })).toEqual([["a", "b"]]);
  expect(paths({ a: 1 }, { a: { b: 1 } })).toEqual([["a"]]);
  expect(paths({}, {})).toEqual([]);
});

test("a key called __proto__ is a key like any other", () => {
  expect(paths(JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":2}'))).toEqual([["__proto__"]]);
});

test("deep nesting does not overflow", () => {
  const deep = (end: number): Json => JSON.parse(`${'{"a":'.repeat(3000)}${end}${"}".repeat(3000)}`);
  expect(paths(deep(1), deep(2))).toHaveLength(1);
});
