/** @module What is wrong with a JSON Schema that an author wrote, before any value is held against it. Keywords nobody knows are left alone. */
import { findByPointer } from "@fettle/contract/formats";
import { patternFault } from "./pattern.ts";

export interface SchemaFault {
  path: (string | number)[];
  message: string;
}

type Fields = Record<string, unknown>;
type Path = (string | number)[];
/** Undefined: nothing is wrong. */
type Ask = (value: unknown) => string | undefined;

const types = ["array", "boolean", "integer", "null", "number", "object", "string"];
const isType = (value: unknown) => typeof value === "string" && types.includes(value);
const demand =
  (holds: (value: unknown) => boolean, what: string): Ask =>
  (value) =>
    holds(value) ? undefined : `must be ${what}.`;

const texts = demand(
  (value) => Array.isArray(value) && value.every((item) => typeof item === "string"),
  "a list of texts",
);
const list = demand(Array.isArray, "a list");
const number = demand((value) => typeof value === "number", "a number");
const count = demand((value) => Number.isInteger(value) && Number(value) >= 0, "a whole number, 0 or more");
const flag = demand((value) => typeof value === "boolean", "true or false");

const asks = new Map(
  Object.entries<Ask>({
    type: demand(
      (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
      `one of ${types.join(", ")}, or a list of these`,
    ),
    enum: list,
    required: texts,
    pattern: (value) => (typeof value === "string" ? patternFault(value) : "must be a text."),
    uniqueItems: flag,
    ...Object.fromEntries(["minimum", "maximum", "multipleOf"].map((word) => [word, number])),
    // The oldest drafts say true or false here.
    ...Object.fromEntries(
      ["exclusiveMinimum", "exclusiveMaximum"].map((word) => [
        word,
        demand((value) => typeof value === "number" || typeof value === "boolean", "a number"),
      ]),
    ),
    ...Object.fromEntries(
      [
        ...["minLength", "maxLength", "minItems", "maxItems", "minContains", "maxContains"],
        ...["minProperties", "maxProperties"],
      ].map((word) => [word, count]),
    ),
  }),
);

const ofSchema = new Set([
  ...["additionalProperties", "propertyNames", "contains", "not", "if", "then", "else"],
  ...["unevaluatedItems", "unevaluatedProperties", "additionalItems"],
]);
const ofSchemas = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const ofNamedSchemas = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);

/**
 * @example
 * schemaFaults({ type: "objekt" }); // [{ path: ["type"], message: "must be one of array, …" }]
 */
export function schemaFaults(schema: Fields): SchemaFault[] {
  return look(schema, [], schema);
}

function look(schema: unknown, path: Path, root: Fields): SchemaFault[] {
  if (typeof schema === "boolean") return [];
  if (!isFields(schema)) return [{ path, message: "must be a schema: an object, true or false." }];
  return Object.entries(schema).flatMap(([key, value]) => lookAt(key, value, [...path, key], root));
}

function lookAt(key: string, value: unknown, path: Path, root: Fields): SchemaFault[] {
  const message = asks.get(key)?.(value);
  if (message !== undefined) return [{ path, message }];
  if (key === "$ref") return lookAtReference(value, path, root);
  if (ofSchema.has(key) || (key === "items" && !Array.isArray(value))) return look(value, path, root);
  if (ofSchemas.has(key) || key === "items") {
    if (!Array.isArray(value)) return [{ path, message: "must be a list of schemas." }];
    return value.flatMap((item, index) => look(item, [...path, index], root));
  }
  if (!ofNamedSchemas.has(key)) return [];
  if (!isFields(value)) return [{ path, message: "must be an object of schemas." }];
  return Object.entries(value).flatMap(([name, inner]) => {
    const fault = key === "patternProperties" ? patternFault(name) : undefined;
    return fault === undefined
      ? look(inner, [...path, name], root)
      : [{ path: [...path, name], message: fault }];
  });
}

/** Whatever is elsewhere would have to be fetched, and nothing is. */
function lookAtReference(value: unknown, path: Path, root: Fields): SchemaFault[] {
  const ids = JSON.stringify(root).match(/"\$(?:id|anchor|dynamicAnchor)"/) !== null;
  if (typeof value !== "string" || (!value.startsWith("#") && !ids)) {
    return [{ path, message: "must refer to a part in this schema, as #/$defs/name." }];
  }
  if (!value.startsWith("#/") || ids) return [];
  return findByPointer(root, value) === undefined
    ? [{ path, message: "refers to nothing in this schema." }]
    : [];
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
