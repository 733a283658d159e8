/** @module JSON as pages hold it: every number keeps the digits and the spelling it came with, and `JSON.stringify` writes them. */
import { type ExactNumber, isExactNumber, parseExactNumbers } from "@fettle/contract/formats";

export type Json = null | boolean | number | string | ExactNumber | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/** Throws a `SyntaxError`, as `JSON.parse` does. */
export function parseExact(text: string): Json {
  // What parsing JSON gives is JSON.
  return parseExactNumbers(text, "spelling") as Json;
}

/** The value, or why the text is none. */
export function tryParse(text: string): { ok: true; value: Json } | { ok: false; reason: string } {
  try {
    return { ok: true, value: parseExact(text) };
  } catch (error) {
    return { ok: false, reason: (error as SyntaxError).message.replace(/^JSON\.parse: /, "") };
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value);
}

/** The object with one key set or, with `undefined`, left out. `__proto__` is a key like any other. */
export function withKey(object: JsonObject, key: string, value: Json | undefined): JsonObject {
  const entries = Object.entries(object);
  const at = entries.findIndex(([each]) => each === key);
  if (value === undefined) return Object.fromEntries(entries.filter(([each]) => each !== key));
  if (at < 0) return Object.fromEntries([...entries, [key, value]]);
  return Object.fromEntries(entries.with(at, [key, value]));
}
