/** @module Secrets known by value (tokens, header and environment values), taken out wherever they appear; the rest is the contract's redaction. */
import { redact, redactedText } from "@fettle/contract";
import { isObject } from "./jsonrpc.ts";

/** A copy without credentials: telling names and passages, and these very values. */
export function redactKnowing<T>(value: T, secrets: readonly string[]): T {
  // Very short values would blank ordinary words; a secret of that length protects nothing.
  const known = secrets.filter((secret) => secret.length >= 6);
  return redact(known.length === 0 ? value : withoutValues(value, known)) as T;
}

function withoutValues(value: unknown, known: readonly string[]): unknown {
  if (typeof value === "string") {
    return known.reduce((text, secret) => text.replaceAll(secret, redactedText), value);
  }
  if (Array.isArray(value)) return value.map((item) => withoutValues(item, known));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutValues(item, known)]));
}
