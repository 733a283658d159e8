import { expect, test } from "vitest";
import { isExplained } from "./schema-path.ts";

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
