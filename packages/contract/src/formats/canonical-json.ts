/** @module One way to write a value: keys sorted at every depth, so that equal values are equal texts however their fields were ordered. */
import { isExactNumber } from "./exact-numbers.ts";

/**
 * Writes a JSON value with sorted keys and nothing between. Fields that are undefined are left out, a hole in a list is
 * `null`. What is no JSON value throws: a digest over something that could not be written would name nothing.
 *
 * @example
 * canonicalJson({ b: 1, a: [{ d: -0, c: undefined }] }); // '{"a":[{"d":0}],"b":1}'
 */
export function canonicalJson(value: unknown): string {
  return write(value, []);
}

/** A copy with sorted keys. Arrays keep their order: in JSON Schema and in arguments it may mean something. */
export function sortKeys<T>(value: T): T {
  // The copy has the shape of what went in; only the order of keys differs.
  return sorted(value) as T;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object" || isExactNumber(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted((value as Record<string, unknown>)[key])]));
}

/** Equal as JSON, whatever the order of keys. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(sortKeys(a)) === JSON.stringify(sortKeys(b));
}

function write(value: unknown, within: readonly object[]): string {
  if (value === null || typeof value === "string" || typeof value === "boolean") return JSON.stringify(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError(`${value} is no JSON number.`);
    return JSON.stringify(value);
  }
  if (typeof value !== "object") throw new TypeError(`A ${typeof value} is no JSON value.`);
  // A number that arrived with more digits than a double holds is written as it came.
  if (isExactNumber(value)) return JSON.stringify(value);
  if (within.includes(value)) throw new TypeError("A value that contains itself has no JSON text.");
  const around = [...within, value];
  if (Array.isArray(value)) {
    // By index, so that the holes of a sparse list are read too.
    const items = Array.from({ length: value.length }, (_, index) => write(value[index] ?? null, around));
    return `[${items.join(",")}]`;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError(`A ${prototype.constructor?.name ?? "class instance"} is no JSON value.`);
  }
  const fields = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, inner]) => `${JSON.stringify(key)}:${write(inner, around)}`);
  return `{${fields.join(",")}}`;
}
