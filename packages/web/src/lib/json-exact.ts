/** @module JSON without loss: a number that a double cannot hold, or would spell differently, keeps the digits it came with. */

/** A number as it was written, such as `9007199254740993` or `1.0`. */
export class ExactNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Json = null | boolean | number | string | ExactNumber | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/** Newer than TypeScript's own library files; every browser we support has both. */
interface ExactJson {
  parse(
    text: string,
    reviver: (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): unknown;
}
const exact = JSON as unknown as ExactJson;

/** Throws a `SyntaxError`, as `JSON.parse` does. */
export function parseExact(text: string): Json {
  return exact.parse(text, (_, value, { source }) =>
    typeof value === "number" && source !== undefined && String(value) !== source
      ? new ExactNumber(source)
      : value,
  ) as Json;
}

/** The value, or why the text is none. */
export function tryParse(text: string): { ok: true; value: Json } | { ok: false; reason: string } {
  try {
    return { ok: true, value: parseExact(text) };
  } catch (error) {
    return { ok: false, reason: (error as SyntaxError).message.replace(/^JSON\.parse: /, "") };
  }
}

export function stringifyExact(value: Json, indent?: number): string {
  return JSON.stringify(forWire(value), null, indent);
}

/** The same value for `JSON.stringify`, which then writes exact numbers digit by digit. */
export function forWire(value: Json): unknown {
  if (value instanceof ExactNumber) return exact.rawJSON(value.text);
  if (Array.isArray(value)) return value.map(forWire);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, forWire(each)]));
}

/** What the API's client was asked to keep exact, with each exact number as ours. */
export function fromWire<T extends object>(value: T): T {
  // Written digit by digit and read again; only the numbers change their kind.
  return parseExact(JSON.stringify(value)) as unknown as T;
}

/** For readers that know only plain numbers, such as a validator. Exact numbers lose what a double cannot hold. */
export function asPlain(value: Json): unknown {
  return JSON.parse(stringifyExact(value));
}

export function isJsonObject(value: unknown): value is JsonObject {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a === b || stringifyExact(sorted(a)) === stringifyExact(sorted(b));
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}

/** The object with one key set or, with `undefined`, left out. `__proto__` is a key like any other. */
export function withKey(object: JsonObject, key: string, value: Json | undefined): JsonObject {
  const entries = Object.entries(object);
  const at = entries.findIndex(([each]) => each === key);
  if (value === undefined) return Object.fromEntries(entries.filter(([each]) => each !== key));
  if (at < 0) return Object.fromEntries([...entries, [key, value]]);
  return Object.fromEntries(entries.with(at, [key, value]));
}
