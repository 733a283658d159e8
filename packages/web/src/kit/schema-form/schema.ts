/** @module Reading JSON Schema: local references, `allOf` and the leftovers of older drafts, into one flat schema without losing a rule. */
import { decodedPart, isSameJson, only } from "@fettle/contract/formats";
import { isJsonObject, type Json, type JsonObject } from "../../lib/json-exact.ts";

export type Schema = JsonObject;

/** Why a schema, or a part of it, is edited as JSON. */
export interface Unreadable {
  unreadable: string;
}

const maxHops = 12;

export function isUnreadable(value: Schema | Unreadable): value is Unreadable {
  return typeof value.unreadable === "string" && Object.keys(value).length === 1;
}

/** Follows references and folds `allOf` in, so that what is left can be read key by key. */
export function flatten(schema: Json | undefined, root: Json, hops = 0): Schema | Unreadable {
  if (schema === true || schema === undefined) return {};
  if (schema === false) return { unreadable: "The schema allows nothing here." };
  if (!isJsonObject(schema)) return { unreadable: "The schema is not an object." };
  if (hops > maxHops) return { unreadable: "The schema refers to itself without end." };
  if (typeof schema.$ref === "string") {
    const target = resolveReference(schema.$ref, root);
    if (target === undefined)
      return { unreadable: `${schema.$ref} is not in this schema, and is not fetched.` };
    const { $ref: _, ...beside } = schema;
    const read = flatten(target, root, hops + 1);
    return isUnreadable(read) ? read : flattenMerged(read, beside, root, hops);
  }
  if (!Array.isArray(schema.allOf)) return modern(schema);
  const { allOf, ...rest } = schema;
  let merged: Schema | Unreadable = modern(rest);
  for (const member of allOf as Json[]) {
    const read = flatten(member, root, hops + 1);
    if (isUnreadable(read)) return read;
    merged = merge(merged, read);
    if (isUnreadable(merged)) return merged;
  }
  return merged;
}

function flattenMerged(first: Schema, second: Schema, root: Json, hops: number): Schema | Unreadable {
  const read = flatten(second, root, hops + 1);
  return isUnreadable(read) ? read : merge(first, read);
}

function resolveReference(reference: string, root: Json): Json | undefined {
  if (!reference.startsWith("#")) return undefined;
  const fragment = decodedPart(reference.slice(1));
  if (fragment !== "" && !fragment.startsWith("/")) return findAnchor(fragment, root);
  let found: Json | undefined = root;
  for (const step of fragment.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(found)) found = found[Number(key)];
    else if (isJsonObject(found) && Object.hasOwn(found, key)) found = found[key];
    else return undefined;
  }
  return found;
}

function findAnchor(name: string, root: Json): Json | undefined {
  if (!isJsonObject(root)) return undefined;
  for (const holder of [root.$defs, root.definitions]) {
    if (!isJsonObject(holder)) continue;
    const found = Object.values(holder).find(
      (each) =>
        isJsonObject(each) && (each.$anchor === name || each.$id === `#${name}` || each.id === `#${name}`),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Spells what older drafts and OpenAPI said differently in today's words. */
function modern(schema: Schema): Schema {
  let today = schema;
  if (Array.isArray(schema.items)) {
    const { items, additionalItems, ...rest } = schema;
    today = { ...rest, prefixItems: items, ...(additionalItems !== undefined && { items: additionalItems }) };
  }
  const { type } = today;
  if (today.nullable === true && type !== undefined) {
    const { nullable: _, ...rest } = today;
    const types = Array.isArray(type) ? type : [type];
    today = { ...rest, type: types.includes("null") ? types : [...types, "null"] };
  }
  return today;
}

/** Words about the value; the outer ones win, and no rule is lost by it. */
const words = [
  "title",
  "description",
  "default",
  "examples",
  "$comment",
  "$schema",
  "$id",
  "$defs",
  "definitions",
];

/** Both schemas at once. Rules that cannot be said together in one flat schema make it unreadable rather than wrong. */
export function merge(first: Schema, second: Schema): Schema | Unreadable {
  let merged = first;
  for (const [key, value] of Object.entries(second)) {
    const before = Object.hasOwn(merged, key) ? merged[key] : undefined;
    if (before === undefined || isSameJson(before, value)) merged = { ...merged, [key]: value };
    else if (words.includes(key)) merged = { ...merged, [key]: value };
    else if (key === "properties" && isJsonObject(before) && isJsonObject(value))
      merged = { ...merged, properties: mergeProperties(before, value) };
    else if (key === "required" && Array.isArray(before) && Array.isArray(value))
      merged = { ...merged, required: [...new Set([...before, ...value])] };
    else if (key === "type") {
      const both = typesOf(before).filter((type) => typesOf(value).includes(type));
      if (both.length === 0) return { unreadable: "Its parts ask for different types." };
      merged = { ...merged, type: only(both) ?? both };
    } else if (key === "enum" && Array.isArray(before) && Array.isArray(value)) {
      const both = before.filter((each) => value.some((other) => isSameJson(each, other)));
      if (both.length === 0) return { unreadable: "Its parts allow different values." };
      merged = { ...merged, enum: both };
    } else return { unreadable: `Its parts say different things about “${key}”.` };
  }
  return merged;
}

function mergeProperties(first: JsonObject, second: JsonObject): JsonObject {
  const entries = new Map<string, Json>(Object.entries(first));
  for (const [name, schema] of Object.entries(second)) {
    const before = entries.get(name);
    entries.set(name, before === undefined ? schema : { allOf: [before, schema] });
  }
  return Object.fromEntries(entries);
}

/** `integer` counts as itself only: it is the narrower of the two number types. */
export function typesOf(type: Json | undefined): string[] {
  if (typeof type === "string") return [type];
  return Array.isArray(type) ? type.filter((each) => typeof each === "string") : [];
}
