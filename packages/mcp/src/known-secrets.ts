/** @module Secrets known by value (tokens, header and environment values, what an address holds), taken out wherever they appear, however they are written; the rest is the contract's redaction. */
import {
  isExactNumber,
  maskQuery,
  maskUrl,
  parseExactNumbers,
  redact,
  redactArguments,
  redactedText,
  secretsInUrl,
} from "@fettle/contract";
import type { Target } from "./target.ts";

/** A value to take out; an address has a form in which it may stay. */
export type KnownSecret = string | { text: string; shown: string };

/** What must never be seen again of a target: its token, the values of its headers and variables, what its address holds. */
export function secretsOf(target: Target): KnownSecret[] {
  if (target.kind === "stdio") return Object.values(target.env);
  return [
    ...secretsOfAddress(target.url),
    ...Object.values(target.headers),
    ...(target.accessToken === undefined ? [] : [target.accessToken]),
  ];
}

function secretsOfAddress(address: string): KnownSecret[] {
  const search = URL.parse(address)?.search ?? "";
  const shown = maskUrl(address);
  return [
    ...(shown === address ? [] : [{ text: address, shown }]),
    ...(search === "" ? [] : [{ text: search, shown: maskQuery(search) }]),
    ...secretsInUrl(address),
  ];
}

/** Takes out what it knows; everything else stays as it was. */
export type Hide = <T>(value: T) => T;

/** A copy without credentials: telling names and passages, and these very values. */
export function redactKnowing<T>(value: T, secrets: readonly KnownSecret[]): T {
  return redact(hiding(secrets)(value)) as T;
}

/** What takes these values out, in every way they may be written; names and other passages are not looked at. */
export function hiding(secrets: readonly KnownSecret[]): Hide {
  const forms = new Map<string, string>();
  for (const secret of secrets) {
    const { text, shown } = typeof secret === "string" ? { text: secret, shown: redactedText } : secret;
    for (const form of typeof secret === "string" ? spellingsOf(text) : [text]) {
      // Very short values would blank ordinary words; a secret of that length protects nothing.
      if (form.length >= shortest && !forms.has(form)) forms.set(form, shown);
    }
  }
  // The longest first: a part taken out of it would leave the rest behind.
  const known = [...forms].sort(([a], [b]) => b.length - a.length);
  return (value) => (known.length === 0 ? value : (withoutValues(value, known) as typeof value));
}

const shortest = 6;

/** Plain, URL-encoded, in base64 and escaped in JSON; a header's credential also without its scheme, and decoded. */
function spellingsOf(secret: string): string[] {
  const [, scheme = "", credential] = /^(bearer|basic|token|apikey)\s+(\S+)$/i.exec(secret) ?? [];
  const inner = credential === undefined ? [] : [credential];
  if (scheme.toLowerCase() === "basic" && credential !== undefined) {
    const pair = Buffer.from(credential, "base64").toString("utf8");
    inner.push(pair, pair.slice(pair.indexOf(":") + 1));
  }
  return [secret, ...inner]
    .filter((text) => text.length >= shortest)
    .flatMap((text) => [text, ...urlForms(text), ...base64Forms(text), ...jsonForms(text)]);
}

function urlForms(text: string): string[] {
  const encoded = encodeURIComponent(text.toWellFormed());
  const strict = encoded.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const spelled = [encoded, strict, new URLSearchParams([["", text]]).toString().slice(1)];
  return spelled.flatMap((one) => [one, one.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())]);
}

/** In the middle of something longer the bytes fall on one of three places, and the digits at the edges are shared. */
function base64Forms(text: string): string[] {
  const bytes = Buffer.from(text, "utf8");
  const whole = bytes.toString("base64");
  const inside = [0, 1, 2].map((before) => {
    const digits = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const shared = (before + bytes.length) % 3 === 0 ? 0 : 1;
    return digits.slice(before === 0 ? 0 : before + 1, digits.length - shared);
  });
  return [
    whole,
    whole.replace(/=+$/, ""),
    ...inside.filter((digits) => digits.length >= shortestInside),
  ].flatMap((digits) => [digits, digits.replaceAll("+", "-").replaceAll("/", "_")]);
}

/** Fewer digits than these could be met by chance. */
const shortestInside = 8;

/** Escaped once, and once more for JSON inside JSON; with and without the escapes that a writer may leave out. */
function jsonForms(text: string): string[] {
  const once = JSON.stringify(text).slice(1, -1);
  const ascii = once.replace(
    /[^\u0020-\u007e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const slashes = once.replaceAll("/", "\\/");
  return [once, ascii, slashes, JSON.stringify(once).slice(1, -1), JSON.stringify(ascii).slice(1, -1)];
}

function withoutValues(value: unknown, known: readonly (readonly [string, string])[]): unknown {
  if (typeof value === "string") return hideIn(value, known);
  if (Array.isArray(value)) return value.map((item) => withoutValues(item, known));
  if (typeof value !== "object" || value === null || isExactNumber(value)) return value;
  // What is no plain data (an error, a date) knows best how to write itself.
  if (Object.getPrototypeOf(value) !== Object.prototype && Object.getPrototypeOf(value) !== null)
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [hideIn(key, known), withoutValues(item, known)]),
  );
}

function hideIn(text: string, known: readonly (readonly [string, string])[]): string {
  return known.reduce(
    (rest, [form, shown]) => (rest.includes(form) ? rest.replaceAll(form, () => shown) : rest),
    text,
  );
}

/** A body we sent, without the arguments whose names say that they are credentials; any other text stays as it is. */
export function redactBody(text: string): string {
  if (!text.includes('"arguments"')) return text;
  try {
    const message = parseExactNumbers(text);
    const hidden = withoutSecretArguments(message);
    const written = JSON.stringify(hidden);
    return written === JSON.stringify(message) ? text : written;
  } catch {
    return text;
  }
}

function withoutSecretArguments(message: unknown): unknown {
  if (Array.isArray(message)) return message.map(withoutSecretArguments);
  if (typeof message !== "object" || message === null || !("params" in message)) return message;
  const { params } = message;
  if (typeof params !== "object" || params === null || !("arguments" in params)) return message;
  return { ...message, params: { ...params, arguments: redactArguments(params.arguments) } };
}
