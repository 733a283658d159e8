/** @module Secrets known by value (tokens, header and environment values, what an address holds), taken out wherever they appear, however they are written; the rest is the contract's redaction. */
import { addressPart, isExactNumber, parseExactNumbers } from "@fettle/contract/formats";
import {
  isSecretName,
  maskQuery,
  maskUrl,
  redact,
  redactArguments,
  redactedText,
  secretsInUrl,
} from "@fettle/contract/secrets";
import { nextTurn } from "../messages/turns.ts";
import type { Target } from "../target.ts";

/** A value to take out; an address has a form in which it may stay. */
export type KnownSecret = string | { text: string; shown: string };

/** What must never be seen again of a target: its token, the values of its headers and variables, what its address holds. */
export function secretsOf(target: Target): KnownSecret[] {
  if (target.kind === "stdio") {
    // A command that somebody else starts gets nothing of this process.
    return [...Object.values(target.env), ...(target.start ? [] : inheritedSecrets())];
  }
  return [
    ...secretsOfAddress(target.url),
    ...Object.values(target.headers),
    ...(target.accessToken === undefined ? [] : [target.accessToken]),
  ];
}

/** A command inherits our environment, and may say any of it: what is named like a credential is taken for one. */
function inheritedSecrets(): string[] {
  return Object.entries(process.env).flatMap(([name, value]) =>
    value !== undefined && isSecretName(name) && !isPlainSetting(value) ? [value] : [],
  );
}

/** Switches, numbers and paths (`SSH_AUTH_SOCK`, `SSL_KEY_FILE`): no secrets, and often said. */
const isPlainSetting = (value: string) => /^(?:true|false|\d{1,9}|[.~]?\/.*)$/i.test(value);

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

/** How many items of a list are worked on in one go: of tools, a slice or two. */
const itemsPerTurn = 100;

/** The same of what may hold long lists: they are gone through piece by piece, in turn with everything else. */
export async function redactKnowingInTurn<T>(value: T, secrets: readonly KnownSecret[]): Promise<T> {
  const hide = hiding(secrets);
  // The shape stays: only texts inside it are replaced.
  return (await redactPart(value, undefined)) as T;

  async function redactPart(part: unknown, key: string | undefined): Promise<unknown> {
    // What a value stands under decides too what is secret in it.
    const clean = (some: unknown): unknown =>
      key === undefined ? redact(hide(some)) : Object.values(redact({ [key]: hide(some) }) as object)[0];
    if (Array.isArray(part) && part.length > itemsPerTurn) {
      const items: unknown[] = [];
      for (let at = 0; at < part.length; at += itemsPerTurn) {
        await nextTurn();
        items.push(...(clean(part.slice(at, at + itemsPerTurn)) as unknown[]));
      }
      return items;
    }
    const long = isPlain(part) ? Object.entries(part).filter(([, member]) => holdsLongList(member, 1)) : [];
    // The arguments of a call are looked at whole, by the names all the way down.
    if (long.length === 0 || key === "arguments" || long.some(([name]) => name === "arguments"))
      return clean(part);
    const members = clean({
      ...(part as object),
      ...Object.fromEntries(long.map(([name]) => [name, null])),
    }) as Record<string, unknown>;
    for (const [name, member] of long) members[hide(name)] = await redactPart(member, name);
    return members;
  }
}

function holdsLongList(value: unknown, depth: number): boolean {
  if (Array.isArray(value)) return value.length > itemsPerTurn;
  return (
    depth > 0 && isPlain(value) && Object.values(value).some((member) => holdsLongList(member, depth - 1))
  );
}

/** What is no plain data (an error, a date) knows best how to write itself. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || isExactNumber(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** What takes these values out, in every way they may be written; names and other passages are not looked at. */
export function hiding(secrets: readonly KnownSecret[]): Hide {
  const forms = new Map<string, string>();
  for (const secret of secrets) {
    const { text, shown } = typeof secret === "string" ? { text: secret, shown: redactedText } : secret;
    for (const form of typeof secret === "string" ? spellingsOf(text) : [text]) {
      // Very short values would blank ordinary words; a secret of that length protects nothing.
      if (form.length >= shortestSecret && !forms.has(form)) forms.set(form, shown);
    }
  }
  const known: Known = {
    // The longest first: a part taken out of it would leave the rest behind.
    forms: [...forms].sort(([a], [b]) => b.length - a.length),
    escaped: secrets.flatMap((secret) => (typeof secret === "string" ? escapedForms(secret) : [])),
  };
  return (value) => (known.forms.length === 0 ? value : (withoutValues(value, known) as typeof value));
}

interface Known {
  /** As they are written, and what stands there instead. */
  forms: readonly (readonly [string, string])[];
  /** Of texts in which some characters are escaped and others are not, as each writer chooses. */
  escaped: readonly RegExp[];
}

/** A value with fewer characters is not taken out. */
export const shortestSecret = 6;

/** Plain and in another case, URL-encoded, in base64, in hex and escaped in JSON. */
function spellingsOf(secret: string): string[] {
  return credentialsIn(secret).flatMap((text) => [
    text,
    ...caseForms(text),
    ...urlForms(text),
    ...base64Forms(text),
    ...hexForms(text),
    ...jsonForms(text),
  ]);
}

/** The value itself, also without the space around it that no header carries; a header's credential also without its scheme, and decoded. */
function credentialsIn(secret: string): string[] {
  const trimmed = secret.trim();
  const [, scheme = "", credential] = /^(bearer|basic|token|apikey)\s+(\S+)$/i.exec(trimmed) ?? [];
  const inner = credential === undefined ? [] : [credential];
  if (scheme.toLowerCase() === "basic" && credential !== undefined) {
    const pair = Buffer.from(credential, "base64").toString("utf8");
    inner.push(pair, pair.slice(pair.indexOf(":") + 1));
  }
  return [...new Set([secret, trimmed, ...inner])].filter((text) => text.length >= shortestSecret);
}

/** Shorter ones are too often an ordinary word in another case. */
const shortestInAnyCase = 10;

/** Servers fold header values and digits to one case before they repeat them. */
function caseForms(text: string): string[] {
  return text.length < shortestInAnyCase ? [] : [text.toLowerCase(), text.toUpperCase()];
}

function hexForms(text: string): string[] {
  const digits = Buffer.from(text, "utf8").toString("hex");
  return [digits, digits.toUpperCase()];
}

function urlForms(text: string): string[] {
  const encoded = addressPart(text);
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

/** Longer ones would make a pattern that takes longer to prepare than it saves; their whole forms are known anyway. */
const longestEscaped = 4_096;

/** Any of its characters may be written as an address, JSON or HTML would, once or more than once. */
function escapedForms(secret: string): RegExp[] {
  return (
    credentialsIn(secret)
      // A run of backslashes can be read in too many ways to look for all of them; once and twice escaped is known whole.
      .filter((text) => text.length <= longestEscaped && !text.includes("\\"))
      .map((text) => new RegExp(Array.from(text, writtenAnyhow).join(""), "g"))
  );
}

function writtenAnyhow(character: string): string {
  const percent = [...Buffer.from(character, "utf8")]
    .map((byte) => `%(?:25){0,2}${anyCase(byte, 2)}`)
    .join("");
  const units = character.split("").map((unit) => `\\\\{1,4}u${anyCase(unit.charCodeAt(0), 4)}`);
  const point = character.codePointAt(0) ?? 0;
  const entity = `&#(?:0*${point}|[xX]0*${anyCase(point, 1)});`;
  const named = entities[character] ?? [];
  const plain = `${/["/]/.test(character) ? "\\\\{0,4}" : ""}${character.replace(/[$()*+.?[\]^{|}-]/, "\\$&")}`;
  return `(?:${[plain, percent, units.join(""), entity, ...named].join("|")})`;
}

const entities: Record<string, string[]> = {
  "&": ["&amp;"],
  "<": ["&lt;"],
  ">": ["&gt;"],
  '"': ["&quot;"],
  "'": ["&apos;"],
  " ": ["\\+"],
};

function anyCase(code: number, digits: number): string {
  return code
    .toString(16)
    .padStart(digits, "0")
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

function withoutValues(value: unknown, known: Known): unknown {
  if (typeof value === "string") return hideIn(value, known);
  if (Array.isArray(value)) return value.map((item) => withoutValues(item, known));
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [hideIn(key, known), withoutValues(item, known)]),
  );
}

function hideIn(text: string, { forms, escaped }: Known): string {
  let rest = text;
  for (const [form, shown] of forms) if (rest.includes(form)) rest = rest.replaceAll(form, () => shown);
  if (/[%&\\]/.test(rest)) for (const form of escaped) rest = rest.replace(form, redactedText);
  return rest.search(cut) < 0 ? rest : withoutCutForms(rest, forms);
}

/** What every excerpt of ours ends with or has in its middle, and what others write for the rest of a secret that they shorten. */
const cut = /[…*•]+|\.{3,}/g;
/** A server may write the same signs as often as it likes; ours are among the last. */
const mostCuts = 64;
/** Less of a secret than this tells nothing. */
const shortestCut = 4;

/** Text was cut before it was cleaned: what is left of a secret on either side of the cut goes too. */
function withoutCutForms(text: string, known: Known["forms"]): string {
  // Of an address it is what is secret in it, which is known by itself; the rest of it may be seen.
  const forms = known.filter(([, shown]) => shown === redactedText);
  let rest = text;
  let clean = text.length;
  // From the last to the first, so that the places of those before stay as they are.
  for (const { index, 0: sign } of [...text.matchAll(cut)].slice(-mostCuts).reverse()) {
    if (index >= clean) continue;
    const before = rest.slice(0, index).trimEnd().length;
    const after = rest.length - rest.slice(index + sign.length).trimStart().length;
    const begun = longest(forms, (form) =>
      beginningAtEnd(rest.slice(Math.max(0, before - form.length), before), form),
    );
    const ended = longest(forms, (form) => endAtBeginning(rest.slice(after, after + form.length), form));
    if (ended > 0) rest = `${rest.slice(0, after)}${redactedText}${rest.slice(after + ended)}`;
    if (begun > 0) rest = `${rest.slice(0, before - begun)}${redactedText}${rest.slice(before)}`;
    clean = before - begun;
  }
  return rest;
}

function longest(forms: Known["forms"], measure: (form: string) => number): number {
  return forms.reduce((most, [form]) => Math.max(most, measure(form)), 0);
}

function beginningAtEnd(text: string, form: string): number {
  const first = form.slice(0, shortestCut);
  for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1))
    if (form.startsWith(text.slice(at))) return text.length - at;
  return 0;
}

function endAtBeginning(text: string, form: string): number {
  const last = form.slice(-shortestCut);
  for (let at = text.lastIndexOf(last); at >= 0; at = at === 0 ? -1 : text.lastIndexOf(last, at - 1))
    if (form.endsWith(text.slice(0, at + shortestCut))) return at + shortestCut;
  return 0;
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
