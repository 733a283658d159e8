/** @module A schema as the field a person fills in. What a field cannot draw becomes a JSON field for that part alone; nothing is dropped. */

import { isExactNumber, isSameJson, only } from "@fettle/contract/formats";
import { isJsonObject, type Json, type JsonObject } from "../../lib/json-exact.ts";
import { flatten, isUnreadable, merge, type Schema, typesOf } from "./schema.ts";

interface Words {
  title?: string;
  description?: string;
  default?: { value: Json };
  nullable: boolean;
  /** Rules the field does not draw; they are still sent to and checked by the server. */
  notes: string[];
}

export interface Property {
  name: string;
  schema: Json;
  required: boolean;
}

export interface UnionOption {
  label: string;
  schema: Json;
}

export type Field = Words &
  (
    | { kind: "string"; multiline: boolean; format?: string }
    | { kind: "number"; integer: boolean }
    | { kind: "boolean" }
    | { kind: "null" }
    | { kind: "const"; value: Json }
    | { kind: "enum"; options: { label: string; value: Json }[] }
    | { kind: "list"; first: Json[]; rest: Json }
    | { kind: "object"; properties: Property[]; patterns: [string, Json][]; others: Json }
    | { kind: "union"; options: UnionOption[] }
    | { kind: "json"; reason?: string }
  );

/** Reads one level; children are read when they are drawn, so a schema may refer to itself. */
export function fieldOf(schema: Json | undefined, root: Json): Field {
  const flat = flatten(schema, root);
  if (isUnreadable(flat)) return { kind: "json", reason: flat.unreadable, nullable: true, notes: [] };
  return shapeOf(flat, root);
}

function shapeOf(schema: Schema, root: Json): Field {
  const words = wordsOf(schema);
  if (schema.const !== undefined) return { ...words, kind: "const", value: schema.const };
  if (Array.isArray(schema.enum)) return enumOf(words, schema.enum, schema.enumNames);
  for (const key of ["oneOf", "anyOf"] as const) {
    const options = schema[key];
    if (Array.isArray(options)) return unionOf(words, schema, key, options, root);
  }
  const types = typesOf(schema.type);
  const nullable = types.length > 1 && types.includes("null");
  const others = nullable ? types.filter((type) => type !== "null") : types;
  if (others.length > 1) {
    const options = others.map((type) => ({ label: type, schema: { ...without(schema, wordKeys), type } }));
    return { ...words, nullable, kind: "union", options };
  }
  return { ...words, nullable, ...byType(others[0] ?? impliedType(schema), schema) };
}

function byType(type: string | undefined, schema: Schema) {
  switch (type) {
    case "string":
      return {
        kind: "string",
        multiline: isLong(schema),
        ...(typeof schema.format === "string" && { format: schema.format }),
      } as const;
    case "number":
    case "integer":
      return { kind: "number", integer: type === "integer" } as const;
    case "boolean":
      return { kind: "boolean" } as const;
    case "null":
      return { kind: "null" } as const;
    case "array":
      return {
        kind: "list",
        first: Array.isArray(schema.prefixItems) ? schema.prefixItems : [],
        rest: schema.items ?? true,
      } as const;
    case "object":
      return objectOf(schema);
    case undefined:
      return { kind: "json" } as const;
    default:
      return { kind: "json", reason: `The type “${type}” is not one of JSON Schema's.` } as const;
  }
}

/** A schema that names properties or items means an object or list, even when it forgets to say so. */
function impliedType(schema: Schema): string | undefined {
  if (schema.properties || schema.patternProperties) return "object";
  if (schema.items !== undefined || schema.prefixItems) return "array";
  if (schema.pattern !== undefined || schema.minLength !== undefined || schema.maxLength !== undefined)
    return "string";
  return undefined;
}

function isLong(schema: Schema): boolean {
  const sample = typeof schema.default === "string" ? schema.default : "";
  return Number(schema.maxLength ?? 0) > 120 || sample.includes("\n");
}

function objectOf(schema: Schema) {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const named = isJsonObject(schema.properties) ? Object.entries(schema.properties) : [];
  // A required name without a schema of its own still has to be filled in.
  const unnamed = required.filter(
    (name): name is string => typeof name === "string" && !named.some(([each]) => each === name),
  );
  const properties = [...named, ...unnamed.map((name) => [name, true] as const)].map(([name, each]) => ({
    name,
    schema: each,
    required: required.includes(name),
  }));
  const patterns = isJsonObject(schema.patternProperties) ? Object.entries(schema.patternProperties) : [];
  return { kind: "object", properties, patterns, others: schema.additionalProperties ?? true } as const;
}

function unionOf(words: Words, schema: Schema, key: "oneOf" | "anyOf", options: Json[], root: Json): Field {
  // Only "one of these must be there": a rule over the same fields, not another shape.
  if (
    options.every(
      (option) => isJsonObject(option) && Object.keys(option).every((each) => each === "required"),
    )
  ) {
    const plain = shapeOf(without(schema, [key]), root);
    return { ...plain, notes: [...plain.notes, key] };
  }
  const base = without(schema, [key, ...wordKeys]);
  const read = options.map((option) => {
    const flat = flatten(option, root);
    return isUnreadable(flat) ? flat : merge(base, flat);
  });
  const unreadable = read.find(isUnreadable);
  if (unreadable) return { ...words, nullable: true, kind: "json", reason: String(unreadable.unreadable) };
  const all = read as Schema[];
  const rest = all.filter((each) => !isNull(each));
  const nullable = rest.length < all.length;
  const alone = only(rest);
  if (alone) {
    const shape = shapeOf(alone, root);
    return { ...shape, ...saidIn(words, shape), nullable: nullable || shape.nullable };
  }
  const fixed = rest.flatMap(({ const: value, title }) =>
    value === undefined ? [] : [{ value, label: typeof title === "string" ? title : labelOf(value) }],
  );
  if (rest.length > 0 && fixed.length === rest.length) {
    return { ...words, nullable, kind: "enum", options: fixed };
  }
  const labelled = rest.map((each, index) => ({ label: optionLabel(each, index), schema: each }));
  const labels = labelled.map(({ label }) => label);
  return {
    ...words,
    nullable,
    kind: "union",
    options: labelled.map(({ label, schema: each }, index) => ({
      label: labels.indexOf(label) === index ? label : `${label} (${index + 1})`,
      schema: each,
    })),
  };
}

/** The words around a union describe the field; those inside it only fill gaps. */
function saidIn(outer: Words, inner: Words): Partial<Words> {
  return {
    ...(outer.title !== undefined && { title: outer.title }),
    ...(outer.description !== undefined && { description: outer.description }),
    ...(outer.default && { default: outer.default }),
    notes: [...new Set([...outer.notes, ...inner.notes])],
  };
}

function isNull(schema: Schema): boolean {
  return (
    schema.type === "null" ||
    schema.const === null ||
    (Array.isArray(schema.enum) && isSameJson(schema.enum, [null]))
  );
}

function optionLabel(schema: Schema, index: number): string {
  if (typeof schema.title === "string") return schema.title;
  if (schema.const !== undefined) return labelOf(schema.const);
  if (isJsonObject(schema.properties)) {
    for (const [name, property] of Object.entries(schema.properties)) {
      if (isJsonObject(property) && property.const !== undefined)
        return `${name}: ${labelOf(property.const)}`;
    }
    const names = Object.keys(schema.properties).slice(0, 3).join(", ");
    if (names) return `object with ${names}`;
  }
  return typesOf(schema.type).join(" or ") || `choice ${index + 1}`;
}

function enumOf(words: Words, values: Json[], names: Json | undefined): Field {
  const options = values.map((value, index) => {
    const name = Array.isArray(names) ? names[index] : undefined;
    return { value, label: typeof name === "string" ? name : labelOf(value) };
  });
  return { ...words, kind: "enum", options };
}

export function labelOf(value: Json): string {
  if (typeof value === "string") return value === "" ? "(empty text)" : value;
  if (isExactNumber(value)) return value.rawJSON;
  return JSON.stringify(value);
}

const wordKeys = ["title", "description", "default", "examples"];
/** Rules a form cannot draw as fields. */
const undrawn = [
  "if",
  "not",
  "dependentSchemas",
  "dependentRequired",
  "dependencies",
  "unevaluatedProperties",
  "unevaluatedItems",
  "contains",
  "propertyNames",
];

function wordsOf(schema: Schema): Words {
  return {
    ...(typeof schema.title === "string" && { title: schema.title }),
    ...(typeof schema.description === "string" && { description: schema.description }),
    ...(schema.default !== undefined && { default: { value: schema.default } }),
    nullable: false,
    notes: undrawn.filter((key) => schema[key] !== undefined),
  };
}

function without(schema: Schema, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key)));
}
