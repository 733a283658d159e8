/** @module Secrets out of recordings: by the name of a field, by the shape of a text, and by known value. */
import { isObject } from "./jsonrpc.ts";

export const redacted = "[REDACTED]";

const secretNames = new Set([
  "authorization",
  "proxyauthorization",
  "cookie",
  "setcookie",
  "apikey",
  "xapikey",
]);
const secretEndings = /(accesstoken|refreshtoken|clientsecret|idtoken|codeverifier)$/;
const secretTexts: readonly (readonly [RegExp, string])[] = [
  [/\b(authorization|proxy-authorization|cookie|set-cookie)(["']?\s*:\s*)[^\r\n"]+/gi, `$1$2${redacted}`],
  [/\b(bearer)\s+[A-Za-z0-9._~+/=-]{4,}/gi, `$1 ${redacted}`],
  [
    /\b((?:access|refresh|id)_token|client_secret|code_verifier|api_?key)(["']?\s*[=:]\s*["']?)[^&\s"',}]+/gi,
    `$1$2${redacted}`,
  ],
];

export type Redact = <T>(value: T) => T;

/** A function that returns a copy without secrets; `known` values are removed wherever they appear. */
export function createRedact(known: readonly string[] = []): Redact {
  // Very short values would blank ordinary words; a secret of that length protects nothing.
  const values = known.filter((value) => value.length >= 6);

  function text(value: string): string {
    let clean = value;
    for (const secret of values) clean = clean.replaceAll(secret, redacted);
    for (const [pattern, replacement] of secretTexts) clean = clean.replace(pattern, replacement);
    return clean;
  }

  function walk(value: unknown): unknown {
    if (typeof value === "string") return text(value);
    if (Array.isArray(value)) return value.map(walk);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        isSecretName(key) && isFilled(item) ? redacted : walk(item),
      ]),
    );
  }

  return <T>(value: T) => walk(value) as T;
}

export function isSecretName(name: string): boolean {
  const bare = name.toLowerCase().replace(/[^a-z0-9]/g, "");
  return secretNames.has(bare) || secretEndings.test(bare);
}

function isFilled(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}
