/** @module Places in JSON as an address names them: `#/$defs/book`. A server writes these, so none of them may throw. */
import { decodedPart } from "./address-part.ts";

/**
 * What a reference into the same document leads to; undefined: nowhere, or out of it.
 *
 * @example
 * findByPointer({ $defs: { "a/b": true } }, "#/$defs/a~1b") // true
 */
export function findByPointer(root: unknown, reference: string): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let at = root;
  for (const part of reference.slice(2).split("/")) {
    const step = pointerStep(part);
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<string, unknown>)[step];
  }
  return at;
}

/** The name that one part of a pointer in an address stands for. */
export const pointerStep = (part: string): string =>
  decodedPart(part).replaceAll("~1", "/").replaceAll("~0", "~");
