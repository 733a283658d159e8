/** @module Values under a schema: where a form starts, which choice of a union a value is, and what is still missing. */
import { isExactNumber, isSameJson } from "@fettle/contract/formats";
import { linearPattern } from "@fettle/contract/servers";
import { isJsonObject, type Json } from "../../lib/json-exact.ts";
import { type Field, fieldOf, type UnionOption } from "./field.ts";

export type Path = readonly (string | number)[];

const maxDepth = 12;

/** What a fresh form holds: defaults, required constants, and the objects around them. Optional fields without a default are absent. */
export function startingValue(schema: Json, root: Json, required = true, depth = 0): Json | undefined {
  const field = fieldOf(schema, root);
  if (field.default) return field.default.value;
  if (!required || depth > maxDepth) return undefined;
  if (field.kind === "const") return field.value;
  if (field.kind === "null") return null;
  if (field.kind !== "object") return undefined;
  const entries = field.properties.flatMap(({ name, schema: each, required: needed }) => {
    const value = startingValue(each, root, needed, depth + 1);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

/** The value a field gets when someone asks for one, before they say which. */
export function blankValue(schema: Json, root: Json): Json {
  const started = startingValue(schema, root);
  if (started !== undefined) return started;
  const field = fieldOf(schema, root);
  switch (field.kind) {
    case "string":
      return "";
    case "number":
      return 0;
    case "boolean":
      return false;
    case "list":
      return [];
    case "enum":
      return field.options[0]?.value ?? null;
    case "union":
      return blankValue(field.options[0]?.schema ?? true, root);
    case "object":
      return {};
    default:
      return null;
  }
}

/** Whether the field can show the value. When not, the value is shown as JSON instead, and stays as it is. */
export function fits(field: Field, value: Json, root: Json): boolean {
  if (value === null && field.nullable) return true;
  switch (field.kind) {
    case "string":
      return typeof value === "string";
    case "number":
      return typeof value === "number" || isExactNumber(value);
    case "boolean":
      return typeof value === "boolean";
    case "null":
      return value === null;
    case "const":
      return isSameJson(value, field.value);
    case "enum":
      return field.options.some((option) => isSameJson(option.value, value));
    case "list":
      return Array.isArray(value);
    case "object":
      return isJsonObject(value);
    case "union":
      return optionOf(field.options, value, root) !== undefined;
    case "json":
      return true;
  }
}

/**
 * Which choice a value is: the one that was picked as long as it is of its kind and contradicts no constant of it, then the first whose
 * required and constant parts it has, else the first of its kind.
 */
export function optionOf(
  options: readonly UnionOption[],
  value: Json,
  root: Json,
  picked?: number,
): number | undefined {
  const wanted = picked === undefined ? undefined : options[picked];
  if (wanted && couldBe(wanted.schema, value, root)) return picked;
  const deep = options.findIndex(({ schema }) => matches(schema, value, root, 0));
  if (deep >= 0) return deep;
  const shallow = options.findIndex(({ schema }) => {
    const field = fieldOf(schema, root);
    return field.kind !== "union" && field.kind !== "json" && fits(field, value, root);
  });
  return shallow >= 0 ? shallow : undefined;
}

/** Nothing that is there speaks against it; what is missing may yet be filled in. */
function couldBe(schema: Json, value: Json, root: Json): boolean {
  const field = fieldOf(schema, root);
  if (!fits(field, value, root)) return false;
  if (field.kind !== "object" || !isJsonObject(value)) return true;
  return field.properties.every(({ name, schema: each }) => {
    const inner = fieldOf(each, root);
    const isFixed = inner.kind === "const" || inner.kind === "enum";
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    return !isFixed || given === undefined || fits(inner, given, root);
  });
}

function matches(schema: Json, value: Json, root: Json, depth: number): boolean {
  const field = fieldOf(schema, root);
  if (depth > maxDepth) return true;
  if (field.kind === "union")
    return field.options.some((each) => matches(each.schema, value, root, depth + 1));
  if (!fits(field, value, root)) return false;
  if (field.kind === "list" && Array.isArray(value))
    return value.every((item, at) => matches(field.first[at] ?? field.rest, item, root, depth + 1));
  if (field.kind !== "object" || !isJsonObject(value)) return true;
  return field.properties.every(({ name, schema: each, required }) => {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    return given === undefined ? !required : matches(each, given, root, depth + 1);
  });
}

/** Required parts that are absent, each by its path. */
export function missingParts(schema: Json, root: Json, value: Json | undefined, path: Path = []): Path[] {
  if (value === undefined) return [path];
  const field = fieldOf(schema, root);
  if (field.kind === "object" && isJsonObject(value)) {
    return field.properties.flatMap(({ name, schema: each, required }) => {
      const inside = Object.hasOwn(value, name) ? value[name] : undefined;
      if (inside === undefined && !required) return [];
      return missingParts(each, root, inside, [...path, name]);
    });
  }
  if (field.kind === "list" && Array.isArray(value)) {
    return value.flatMap((item, at) =>
      missingParts(field.first[at] ?? field.rest, root, item, [...path, at]),
    );
  }
  if (field.kind === "union") {
    const chosen = optionOf(field.options, value, root);
    const option = chosen === undefined ? undefined : field.options[chosen];
    return option ? missingParts(option.schema, root, value, path) : [];
  }
  return [];
}

/** The schema of a key that has no property of its own. */
export function schemaOfOther(field: Extract<Field, { kind: "object" }>, name: string): Json {
  const pattern = field.patterns.find(([source]) => patternFits(source, name));
  return pattern ? pattern[1] : field.others;
}

function patternFits(source: string, name: string): boolean {
  const pattern = linearPattern(source);
  return pattern.kind === "usable" && pattern.test(name) === true;
}
