/** @module A tool as a provider takes it, and its arguments there and back. What the model sees less of is said. Pure. */
import { createHash } from "node:crypto";
import { canonicalJson } from "@fettle/contract/formats";
import { isObject, type JsonObject } from "@fettle/mcp";
import type { OfferedTool } from "./model.ts";
import { offeredSchema } from "./offered-schema.ts";
import { mapSchema, nestedSchemas } from "./schema-walk.ts";
import type { ToolDialect } from "./tool-dialect.ts";

export interface AdaptedTool {
  schema: JsonObject;
  description?: string;
  /** What the model is told differently from what the server says. */
  changes: string[];
  /** Arguments in the words of the server to those of the provider, and back. */
  toProvider(args: JsonObject): JsonObject;
  fromProvider(args: JsonObject): JsonObject;
}

/** Why no request can hold the tool. */
export interface Unofferable {
  refusal: string;
}

type Schema = Omit<AdaptedTool, "description"> | Unofferable;

/** One schema is offered at every step of every case. */
const known = new WeakMap<ToolDialect, WeakMap<JsonObject, Schema>>();

/** @example adaptTool({ name: "list", inputSchema: { type: "object" } }, openAiDialect) // { schema: { type: "object", properties: {} }, … } */
export function adaptTool(
  { description, inputSchema }: OfferedTool,
  dialect: ToolDialect,
): AdaptedTool | Unofferable {
  const schemas = known.get(dialect) ?? new WeakMap<JsonObject, Schema>();
  known.set(dialect, schemas);
  const adapted = schemas.get(inputSchema) ?? adaptSchema(inputSchema, dialect);
  schemas.set(inputSchema, adapted);
  if ("refusal" in adapted || description === undefined) return adapted;
  const { descriptionLength: longest = Number.POSITIVE_INFINITY } = dialect;
  if (description.length <= longest) return { ...adapted, description };
  const changes = [...adapted.changes, `its description is cut to ${longest} characters`];
  return { ...adapted, description: `${description.slice(0, longest - 1)}…`, changes };
}

function adaptSchema(inputSchema: JsonObject, dialect: ToolDialect): Schema {
  const { schema: whole, losses } = offeredSchema(inputSchema);
  const changes = new Set(losses);
  const top = flatTop(whole, dialect.notAtTop, changes);
  if (!top) return { refusal: "its arguments can never be an object, as its schema says" };
  const names = new Map(dialect.propertyName ? renamed(top, dialect.propertyName) : []);
  for (const [name, offered] of names) changes.add(`the argument "${name}" is called "${offered}"`);
  const schema = mapSchema(top, (node) => inDialect(withNames(node, names), dialect, changes));
  const back = new Map([...names].map(([name, offered]) => [offered, name]));
  return {
    schema,
    changes: [...changes],
    toProvider: (args) => withKeys(args, names) as JsonObject,
    fromProvider: (args) => withKeys(args, back) as JsonObject,
  };
}

/** An object schema without the keywords that may not stand at its top; undefined when no object fits it. */
function flatTop(
  schema: JsonObject,
  notAtTop: ReadonlySet<string>,
  changes: Set<string>,
): JsonObject | undefined {
  if (!mayBeObject(schema)) return undefined;
  const { allOf, anyOf, oneOf, ...own } = schema;
  let flat: JsonObject = { ...own, type: "object" };
  if (notAtTop.has("allOf")) {
    for (const part of objectsIn(allOf)) {
      const merged = flatTop(part, notAtTop, changes);
      if (!merged) return undefined;
      flat = both(flat, merged);
    }
  } else if (allOf !== undefined) flat.allOf = allOf;
  for (const [keyword, listed] of Object.entries({ anyOf, oneOf })) {
    if (listed === undefined) continue;
    if (!notAtTop.has(keyword)) {
      flat[keyword] = listed;
      continue;
    }
    const parts = objectsIn(listed)
      .map((part) => flatTop(part, notAtTop, changes))
      .filter((part) => part !== undefined);
    if (parts.length === 0 && objectsIn(listed).length > 0) return undefined;
    flat = both(flat, oneAmong(parts));
    changes.add(`"${keyword}" at its top is merged, so it does not say which arguments belong together`);
  }
  for (const keyword of ["not", "enum", "const"]) {
    if (!notAtTop.has(keyword) || !(keyword in flat)) continue;
    delete flat[keyword];
    changes.add(`"${keyword}" at its top is left out`);
  }
  return flat;
}

function mayBeObject({ type }: JsonObject): boolean {
  return type === undefined || type === "object" || (Array.isArray(type) && type.includes("object"));
}

const objectsIn = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

const propertiesOf = ({ properties }: JsonObject): JsonObject => (isObject(properties) ? properties : {});
const requiredOf = ({ required }: JsonObject): unknown[] => (Array.isArray(required) ? required : []);

/** What fits both of two object schemas. */
function both(one: JsonObject, other: JsonObject): JsonObject {
  const required = [...new Set([...requiredOf(one), ...requiredOf(other)])];
  return {
    ...other,
    ...one,
    properties: joined("allOf", [propertiesOf(one), propertiesOf(other)]),
    ...(required.length > 0 && { required }),
  };
}

/** What fits at least one of several object schemas, and more: each of their arguments may be given. */
function oneAmong(parts: readonly JsonObject[]): JsonObject {
  const [first, ...others] = parts.map((part) => new Set(requiredOf(part)));
  const required = [...others.reduce((left, next) => left.intersection(next), first ?? new Set())];
  return {
    properties: joined("anyOf", parts.map(propertiesOf)),
    ...(required.length > 0 && { required }),
  };
}

/** Several lists of properties as one; what they say differently of a property is joined by the keyword. */
function joined(keyword: "allOf" | "anyOf", lists: readonly JsonObject[]): JsonObject {
  const said = new Map<string, unknown[]>();
  for (const [name, schema] of lists.flatMap((list) => Object.entries(list))) {
    const before = said.get(name) ?? [];
    const isNew = !before.some((other) => canonicalJson(other) === canonicalJson(schema));
    said.set(name, isNew ? [...before, schema] : before);
  }
  return Object.fromEntries(
    [...said].map(([name, schemas]) => [name, schemas.length === 1 ? schemas[0] : { [keyword]: schemas }]),
  );
}

function inDialect(
  node: JsonObject,
  { isExplicit, keywords }: ToolDialect,
  changes: Set<string>,
): JsonObject {
  const adapted = { ...node };
  const holds = (type: string) => [adapted.type].flat().includes(type);
  if (Array.isArray(adapted.items)) {
    adapted.items = adapted.items.length > 0 ? { anyOf: adapted.items } : {};
    changes.add("the order of the items of a list is not said");
  }
  if (isExplicit) {
    if (holds("object") && !isObject(adapted.properties)) adapted.properties = {};
    if (holds("array") && adapted.items === undefined) adapted.items = {};
  }
  if (!keywords) return adapted;
  if ("const" in adapted) {
    adapted.enum = [adapted.const];
    delete adapted.const;
  }
  if (Array.isArray(adapted.enum)) {
    const sayable = adapted.enum.filter((value) => typeof value === "string" || typeof value === "number");
    if (sayable.length < adapted.enum.length) changes.add("only texts and numbers of an enum are offered");
    if (sayable.length > 0) adapted.enum = sayable;
    else delete adapted.enum;
  }
  shiftBound(adapted, "exclusiveMinimum", "minimum", 1, changes);
  shiftBound(adapted, "exclusiveMaximum", "maximum", -1, changes);
  for (const keyword of Object.keys(adapted)) {
    if (keywords.has(keyword)) continue;
    delete adapted[keyword];
    if (!annotations.has(keyword)) changes.add(`"${keyword}" is left out`);
  }
  return adapted;
}

/** Keywords that restrict nothing. */
const annotations = new Set([
  "default",
  "examples",
  "example",
  "deprecated",
  "readOnly",
  "writeOnly",
  "$comment",
  "$anchor",
]);

/** Beyond a whole number lies the next one; for others the bound itself is let in. */
function shiftBound(
  node: JsonObject,
  exclusive: string,
  inclusive: string,
  step: number,
  changes: Set<string>,
): void {
  const bound = node[exclusive];
  if (typeof bound !== "number") return;
  delete node[exclusive];
  const isWhole = node.type === "integer" && Number.isInteger(bound);
  node[inclusive] ??= isWhole ? bound + step : bound;
  if (!isWhole) changes.add(`"${exclusive}" is offered as "${inclusive}"`);
}

/** Each property name that is not taken, with one that is and that stands nowhere else. */
function renamed(schema: JsonObject, taken: RegExp): [name: string, offered: string][] {
  const names = new Set(
    nestedSchemas(schema).flatMap((node) => [
      ...Object.keys(propertiesOf(node)),
      ...requiredOf(node).map(String),
    ]),
  );
  return [...names]
    .filter((name) => !taken.test(name))
    .map((name) => {
      const mark = createHash("sha256").update(name).digest("hex").slice(0, 8);
      return [name, `${name.replace(/[^a-zA-Z0-9_.-]/g, "_").slice(0, 55)}_${mark}`];
    });
}

function withNames(node: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  if (names.size === 0) return node;
  const named = { ...node };
  if (isObject(node.properties)) {
    named.properties = Object.fromEntries(
      Object.entries(node.properties).map(([name, schema]) => [names.get(name) ?? name, schema]),
    );
  }
  if (Array.isArray(node.required))
    named.required = node.required.map((name) => names.get(String(name)) ?? name);
  return named;
}

function withKeys(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (names.size === 0) return value;
  if (Array.isArray(value)) return value.map((item) => withKeys(item, names));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [names.get(key) ?? key, withKeys(item, names)]),
  );
}
