/** @module A short name for a value, by its content: equal values are equal names, and the value cannot be read from it. */
import { createHash } from "node:crypto";
import { canonicalJson } from "@fettle/contract/formats";

const digestLength = 16;

export function shortDigestOf(value: unknown): string {
  const text = typeof value === "string" ? value : canonicalJson(value);
  return createHash("sha256").update(text).digest("hex").slice(0, digestLength);
}
