/** @module The schemas within a JSON Schema: examples, defaults and values of an enum are none. Pure. */
import { isObject, type JsonObject } from "@fettle/mcp";

/** Keywords that hold a schema, or several in a list. */
const holders = [
  "items",
  "prefixItems",
  "additionalItems",
  "unevaluatedItems",
  "contains",
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "anyOf",
  "oneOf",
  "allOf",
  "not",
  "if",
  "then",
  "else",
];
/** Keywords that hold schemas by names of their own. */
const tables = ["properties", "patternProperties", "dependentSchemas"];

/** A copy in which every schema has been replaced, the inner ones first. */
export function mapSchema(schema: JsonObject, replace: (schema: JsonObject) => JsonObject): JsonObject {
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner);
    return isObject(value) ? mapSchema(value, replace) : value;
  };
  const copy: JsonObject = { ...schema };
  for (const keyword of holders) if (keyword in copy) copy[keyword] = inner(copy[keyword]);
  for (const keyword of tables) {
    const table = copy[keyword];
    if (isObject(table))
      copy[keyword] = Object.fromEntries(Object.entries(table).map(([name, value]) => [name, inner(value)]));
  }
  return replace(copy);
}

/** The schema and all within it. */
export function nestedSchemas(schema: JsonObject): JsonObject[] {
  const all: JsonObject[] = [];
  mapSchema(schema, (one) => {
    all.push(one);
    return one;
  });
  return all;
}
