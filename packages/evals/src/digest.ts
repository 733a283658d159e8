/** @module The digest of a value: what names a case, a report, a config, a scorer or a recording by content. */
import { createHash } from "node:crypto";
import { canonicalJson } from "@fettle/contract/formats";

/** The lowercase hex SHA-256 of the canonical text. Synchronous, so that validation and transactions may call it. */
export function digestOf(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}
