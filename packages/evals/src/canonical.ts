/** @module One text for one value, and its digest: what names a case, a scorer or a recording by content. */
import { createHash } from "node:crypto";
import { isExactNumber } from "@fettle/contract";

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

/** The lowercase hex SHA-256 of the canonical text. Synchronous, so that validation and transactions may call it. */
export function digestOf(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
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
