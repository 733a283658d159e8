/** @module One text for one value: equal values are written byte for byte alike, however their fields were ordered. */
import { createHash } from "node:crypto";
import { isExactNumber } from "@fettle/contract";

/**
 * Writes JSON with sorted keys and nothing between them. Fields that are undefined are left out, as JSON does.
 *
 * @example
 * canonicalJson({ b: 1, a: [{ d: 2, c: 3 }] }); // '{"a":[{"c":3,"d":2}],"b":1}'
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null || isExactNumber(value)) return JSON.stringify(value);
  const fields = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`);
  return `{${fields.join(",")}}`;
}

/** Names a value by its content. */
export function digestOf(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}
