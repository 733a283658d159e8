/** @module Could a host hand this schema to a model? The mistakes that make one refuse a tool, found without compiling anything. Pure. */
import { findByPointer, isExactNumber } from "@fettle/contract/formats";
import { isObject, latestStateful } from "@fettle/mcp";
import { circleFinder } from "./schema-circle.ts";

export interface SchemaFault {
  /** JSON Pointer into the schema. */
  path: string;
  /** A sentence without its subject and full stop: "is not a list". */
  reason: string;
  /** What JSON Schema advises against but allows. */
  isAdvice?: true;
  /** Nothing in it is wrong, but it leads to a document that hosts do not fetch. */
  isOutside?: true;
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

const numbers = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
const counts = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"];

interface Rules {
  root: unknown;
  /** The value of an exclusive bound may be true or false, as in draft 4. */
  allowsFlags: boolean;
  /** `items` may be a list, as before 2020-12. */
  allowsItemLists: boolean;
  isCircular(schema: unknown): boolean;
}

/** The first revision that says which dialect a schema without one is in: 2020-12. */
const sinceDialect = "2025-11-25";

/** The revision decides what a schema is held to that names no dialect. */
export function schemaFaults(schema: unknown, version: string = latestStateful): SchemaFault[] {
  const faults: SchemaFault[] = [];
  const dialect = isObject(schema) && typeof schema.$schema === "string" ? schema.$schema : undefined;
  const isFree = dialect === undefined && version < sinceDialect;
  look(schema, "", faults, {
    root: schema,
    allowsFlags: isFree || /draft-0[34]/.test(dialect ?? ""),
    allowsItemLists: isFree || /draft-|2019-09/.test(dialect ?? ""),
    isCircular: circleFinder(schema),
  });
  return faults;
}

function look(schema: unknown, path: string, faults: SchemaFault[], rules: Rules): void {
  const fault = (at: string, reason: string, more: Partial<SchemaFault> = {}) => {
    if (faults.length < maxFaults) faults.push({ path: at, reason, ...more });
  };
  if (typeof schema === "boolean") return;
  if (!isObject(schema)) {
    fault(path, "is not a schema");
    return;
  }
  const { type, required, pattern } = schema;
  if (type !== undefined && ![type].flat().every((name) => types.has(String(name)))) {
    fault(`${path}/type`, `is ${JSON.stringify(type)}, which is not a type`);
  }
  if (required !== undefined && !isTextList(required)) fault(`${path}/required`, "is not a list of names");
  if (schema.enum !== undefined && !Array.isArray(schema.enum)) fault(`${path}/enum`, "is not a list");
  if (pattern !== undefined && !isPattern(pattern)) fault(`${path}/pattern`, "is not a regular expression");
  for (const keyword of numbers) {
    const value = schema[keyword];
    if (value === undefined || isNumber(value)) continue;
    const isFlag = typeof value === "boolean" && keyword.startsWith("exclusive");
    if (isFlag && rules.allowsFlags) continue;
    fault(
      `${path}/${keyword}`,
      isFlag ? `is ${value}, a form of draft 4; it must be a number` : "is not a number",
    );
  }
  for (const keyword of counts) {
    const value = schema[keyword];
    if (value !== undefined && !isCount(value))
      fault(`${path}/${keyword}`, "is not a whole number from 0 on");
  }
  if (schema.$ref !== undefined) {
    const astray = referenceFault(schema.$ref, rules.root);
    if (astray !== undefined)
      fault(`${path}/$ref`, astray, isOutside(schema.$ref) ? { isOutside: true } : {});
    else if (rules.isCircular(schema)) {
      fault(`${path}/$ref`, "goes round in a circle and describes nothing", { isAdvice: true });
    }
  }
  const each = (list: readonly unknown[], at: string) => {
    for (const [index, one] of list.entries()) look(one, `${at}/${index}`, faults, rules);
  };
  for (const keyword of schemaKeywords) {
    const inner = schema[keyword];
    if (Array.isArray(inner) && keyword === "items") {
      if (!rules.allowsItemLists) fault(`${path}/items`, "is a list, a form of draft 7; name it prefixItems");
      each(inner, `${path}/items`);
    } else if (inner !== undefined) look(inner, `${path}/${keyword}`, faults, rules);
  }
  for (const keyword of schemaMaps) {
    const inner = schema[keyword];
    if (inner === undefined) continue;
    if (!isObject(inner)) fault(`${path}/${keyword}`, "is not an object of schemas");
    else
      for (const [name, one] of Object.entries(inner)) look(one, `${path}/${keyword}/${name}`, faults, rules);
  }
  for (const keyword of schemaLists) {
    const inner = schema[keyword];
    if (inner === undefined) continue;
    if (!Array.isArray(inner) || inner.length === 0) fault(`${path}/${keyword}`, "is not a list of schemas");
    else each(inner, `${path}/${keyword}`);
  }
}

function referenceFault($ref: unknown, root: unknown): string | undefined {
  if (typeof $ref !== "string") return "is not a text";
  if (isOutside($ref)) return "leads out of the schema, which hosts do not follow";
  return $ref.startsWith("#/") && findByPointer(root, $ref) === undefined ? "leads to nothing" : undefined;
}

function isOutside($ref: unknown): boolean {
  return typeof $ref === "string" && !$ref.startsWith("#");
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" || isExactNumber(value);
}

function isCount(value: unknown): boolean {
  return isExactNumber(value) || (typeof value === "number" && Number.isInteger(value) && value >= 0);
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
