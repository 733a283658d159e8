/** @module Could a host hand this schema to a model? The mistakes that make one refuse a tool, found without compiling anything. Pure. */
import { isObject, type JsonObject } from "@fettle/mcp";

export interface SchemaFault {
  /** JSON Pointer into the schema. */
  path: string;
  reason: string;
}

const types = new Set(["null", "boolean", "object", "array", "number", "integer", "string"]);
const schemaKeywords = [
  "not",
  "if",
  "then",
  "else",
  "contains",
  "propertyNames",
  "additionalProperties",
  "items",
];
const schemaMaps = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
const schemaLists = ["allOf", "anyOf", "oneOf", "prefixItems"];
/** One is enough to mend; a hostile schema could hold a million. */
const maxFaults = 20;

export function schemaFaults(schema: unknown): SchemaFault[] {
  const faults: SchemaFault[] = [];
  look(schema, "", schema, faults);
  return faults;
}

function look(schema: unknown, path: string, root: unknown, faults: SchemaFault[]): void {
  const fault = (at: string, reason: string) => {
    if (faults.length < maxFaults) faults.push({ path: at, reason });
  };
  if (typeof schema === "boolean") return;
  if (!isObject(schema)) {
    fault(path, "not a schema");
    return;
  }
  const { type, required, pattern } = schema;
  if (type !== undefined && ![type].flat().every((name) => types.has(String(name)))) {
    fault(`${path}/type`, `${JSON.stringify(type)} is not a type`);
  }
  if (required !== undefined && !isTextList(required)) fault(`${path}/required`, "not a list of names");
  if (schema.enum !== undefined && !Array.isArray(schema.enum)) fault(`${path}/enum`, "not a list");
  if (pattern !== undefined && !isPattern(pattern)) fault(`${path}/pattern`, "not a regular expression");
  const astray = schema.$ref === undefined ? undefined : referenceFault(schema.$ref, root);
  if (astray !== undefined) fault(`${path}/$ref`, astray);
  const each = (list: readonly unknown[], at: string) => {
    for (const [index, one] of list.entries()) look(one, `${at}/${index}`, root, faults);
  };
  for (const keyword of schemaKeywords) {
    const inner = schema[keyword];
    if (Array.isArray(inner) && keyword === "items") each(inner, `${path}/items`);
    else if (inner !== undefined) look(inner, `${path}/${keyword}`, root, faults);
  }
  for (const keyword of schemaMaps) {
    const inner = schema[keyword];
    if (inner === undefined) continue;
    if (!isObject(inner)) fault(`${path}/${keyword}`, "not an object of schemas");
    else
      for (const [name, one] of Object.entries(inner)) look(one, `${path}/${keyword}/${name}`, root, faults);
  }
  for (const keyword of schemaLists) {
    const inner = schema[keyword];
    if (inner === undefined) continue;
    if (!Array.isArray(inner) || inner.length === 0) fault(`${path}/${keyword}`, "not a list of schemas");
    else each(inner, `${path}/${keyword}`);
  }
}

function referenceFault($ref: unknown, root: unknown): string | undefined {
  if (typeof $ref !== "string") return "not a text";
  if (!$ref.startsWith("#")) return "leads out of the schema, which hosts do not follow";
  return $ref.startsWith("#/") && !pointsAtSomething(root, $ref) ? "leads to nothing" : undefined;
}

function pointsAtSomething(root: unknown, ref: string): boolean {
  let at = root;
  for (const token of ref.slice(2).split("/")) {
    const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return false;
    at = (at as JsonObject)[key];
  }
  return true;
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** Compiled only, never run: matching is where a hostile pattern would cost. */
function isPattern(value: unknown): boolean {
  try {
    return typeof value === "string" && new RegExp(value) !== undefined;
  } catch {
    return false;
  }
}
