/** @module The digest of a value: what names a report, a config or a start by content. */
import { createHash } from "node:crypto";
import { canonicalJson } from "@fettle/contract";

/** Names a value by its content. */
export function digestOf(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}
