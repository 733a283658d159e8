/** @module Arguments for a tool, made from what its schema says and shows: examples first, then the smallest thing that fits. Pure and bounded; what cannot be made is not guessed. */
import { findByPointer } from "@fettle/contract/formats";
import { isObject, type JsonObject } from "@fettle/mcp";
import { judgeContent } from "./output-schema.ts";

const maxDepth = 8;
const maxItems = 20;
const maxLength = 200;

/** Says "no value could be made", which `null` and `undefined` cannot. */
const none = Symbol("no value");

/**
 * Arguments that fit the schema, or undefined when none could be made.
 *
 * @example
 * madeArguments({ type: "object", properties: { city: { type: "string", examples: ["Graz"] } }, required: ["city"] }); // { city: "Graz" }
 */
export function madeArguments(schema: unknown): JsonObject | undefined {
  if (!isObject(schema)) return undefined;
  for (const shown of [...shownIn(schema), valueFor(schema, schema, 0)]) {
    if (!isObject(shown)) continue;
    const { faults, unchecked } = judgeContent(schema, shown);
    if (faults.length === 0 && unchecked.length === 0) return shown;
  }
  return undefined;
}

/** Values that the schema itself names as right. */
function shownIn(schema: JsonObject): unknown[] {
  return [
    ...("const" in schema ? [schema.const] : []),
    ...("default" in schema ? [schema.default] : []),
    ...(Array.isArray(schema.examples) ? schema.examples.slice(0, maxItems) : []),
    ...(Array.isArray(schema.enum) ? schema.enum.slice(0, maxItems) : []),
  ];
}

function valueFor(root: JsonObject, schema: unknown, depth: number): unknown {
  if (schema === true) return "fettle";
  if (!isObject(schema) || depth > maxDepth) return none;
  const [shown] = shownIn(schema);
  if (shown !== undefined && depth > 0) return shown;
  if (typeof schema.$ref === "string") return valueFor(root, findByPointer(root, schema.$ref), depth + 1);
  for (const key of ["oneOf", "anyOf"] as const) {
    const branches = schema[key];
    if (!Array.isArray(branches)) continue;
    const { [key]: _branches, ...rest } = schema;
    for (const branch of branches.slice(0, maxItems)) {
      if (!isObject(branch)) continue;
      const made = valueFor(root, merged(rest, branch), depth + 1);
      if (made !== none) return made;
    }
    return none;
  }
  const { allOf, ...rest } = schema;
  if (Array.isArray(allOf)) {
    return valueFor(root, allOf.filter(isObject).slice(0, maxItems).reduce(merged, rest), depth + 1);
  }
  return plainValue(root, schema, depth);
}

/** What both say: properties and requirements together, the rest by the second. */
function merged(one: JsonObject, other: JsonObject): JsonObject {
  const list = (value: unknown) => (Array.isArray(value) ? value : []);
  return {
    ...one,
    ...other,
    ...((isObject(one.properties) || isObject(other.properties)) && {
      properties: {
        ...(isObject(one.properties) && one.properties),
        ...(isObject(other.properties) && other.properties),
      },
    }),
    ...("required" in one || "required" in other
      ? { required: [...list(one.required), ...list(other.required)] }
      : {}),
  };
}

function plainValue(root: JsonObject, schema: JsonObject, depth: number): unknown {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  const type = types.find((word) => word !== "null") ?? types[0];
  switch (type ?? (isObject(schema.properties) ? "object" : "string")) {
    case "object":
      return objectFor(root, schema, depth);
    case "array":
      return arrayFor(root, schema, depth);
    case "string":
      return textFor(schema);
    case "integer":
    case "number":
      return numberFor(schema, type === "integer");
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return none;
  }
}

/** Only what is required: what is optional may do more than was asked for. */
function objectFor(root: JsonObject, schema: JsonObject, depth: number): unknown {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required)
    ? schema.required.filter((name) => typeof name === "string")
    : [];
  if (required.length > maxItems) return none;
  const made: JsonObject = {};
  for (const name of required) {
    const value = valueFor(root, Object.hasOwn(properties, name) ? properties[name] : true, depth + 1);
    if (value === none) return none;
    Object.defineProperty(made, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return made;
}

function arrayFor(root: JsonObject, schema: JsonObject, depth: number): unknown {
  const least = typeof schema.minItems === "number" ? schema.minItems : 0;
  if (least > maxItems) return none;
  const items = Array.from({ length: least }, () => valueFor(root, schema.items ?? true, depth + 1));
  return items.includes(none) ? none : items;
}

const formats: Record<string, string> = {
  date: "2026-01-01",
  "date-time": "2026-01-01T00:00:00Z",
  time: "00:00:00Z",
  email: "someone@example.com",
  uri: "https://example.com/",
  url: "https://example.com/",
  uuid: "00000000-0000-4000-8000-000000000000",
  hostname: "example.com",
  ipv4: "192.0.2.1",
};

function textFor(schema: JsonObject): unknown {
  const { format, pattern, minLength = 0, maxLength: most = maxLength } = schema;
  if (pattern !== undefined || typeof minLength !== "number" || typeof most !== "number") return none;
  if (minLength > maxLength || minLength > most) return none;
  const word = (typeof format === "string" && formats[format]) || "fettle";
  return word.padEnd(minLength, "x").slice(0, Math.min(most, maxLength));
}

function numberFor(schema: JsonObject, isWhole: boolean): unknown {
  const bound = (name: string) => (typeof schema[name] === "number" ? schema[name] : undefined);
  const step = bound("multipleOf") ?? (isWhole ? 1 : undefined);
  const gap = step ?? 0.5;
  const over = bound("exclusiveMinimum");
  const under = bound("exclusiveMaximum");
  const least = bound("minimum") ?? (over === undefined ? undefined : over + gap);
  const most = bound("maximum") ?? (under === undefined ? undefined : under - gap);
  const wish = least ?? Math.min(1, most ?? 1);
  return step === undefined ? wish : Math.ceil(wish / step) * step;
}
