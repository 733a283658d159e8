import { expect, test } from "vitest";
import { declaredAt, fieldNamed, isExplained, isPlaceIn, schemaPath } from "./schema-path.ts";

const line = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };

test.each<[what: string, field: object, isSaid: boolean]>([
  ["a bare type", { type: "string" }, false],
  ["an empty description", { type: "string", description: "" }, false],
  ["a description", { type: "string", description: "A day" }, true],
  ["a list", { enum: ["a", "b"] }, true],
  ["an object that declares its fields", line, true],
  ["an object of anything", { type: "object", properties: {} }, false],
])("%s says what a field takes: %s", (_, field, isSaid) => {
  const schema = { type: "object", properties: { field, many: { type: "array", items: field } } };
  expect(isExplained(schema, "properties.field")).toBe(isSaid);
  expect(isExplained(schema, "properties.many.items")).toBe(isSaid);
});

const order = {
  type: "object",
  properties: {
    "a.b": { type: "string" },
    x: { type: "integer" },
    lines: { type: "array", items: line },
    Priority: { enum: ["Low", "high"] },
  },
};

test.each([
  ["", ""],
  ["lines", "properties.lines"],
  ["lines.[].name", "properties.lines.items.properties.name"],
])("the value at %j is declared at %j", (path, expected) => {
  expect(schemaPath(path)).toBe(expected);
});

test("a name may hold a dot", () => {
  expect(declaredAt(order, "properties.a.b")).toEqual({ type: "string" });
  expect(declaredAt(order, "properties.a")).toBeUndefined();
  expect(declaredAt(order, "properties.x")).toEqual({ type: "integer" });
});

test.each([
  ["", true],
  ["properties.lines", true],
  ["properties.lines.items", true],
  ["properties.x.items", false],
  ["properties.lines.items.properties.name", true],
  ["properties.lines.items.properties.colour", true],
  ["properties.colour", true],
  ["properties.colour.properties.depth", false],
  ["properties.lines.items.properties.colour.properties.depth", false],
])("%s has a place in the schema: %s", (path, isIn) => {
  expect(isPlaceIn(order, path)).toBe(isIn);
});

test.each([
  ['"lines" is missing', "properties.lines"],
  ['"priority" is missing', "properties.Priority"],
  ['one of "low", "high"', "properties.Priority"],
  ['"colour" is missing', null],
  ["lines is missing", null],
  [null, null],
])("an error that says %j names %j", (template, path) => {
  const tool = { name: "order", inputSchema: order, serverId: "srv", hash: "h" };
  expect(fieldNamed(template, tool)).toBe(path);
});
