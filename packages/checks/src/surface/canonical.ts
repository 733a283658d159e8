/** @module One way to write a value: keys sorted at every depth, so that equal values are equal bytes. */
import { isExactNumber } from "@fettle/contract";

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
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(sortKeys(a)) === JSON.stringify(sortKeys(b));
}
