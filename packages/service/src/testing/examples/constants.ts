/** @module What differs from recording to recording, as constants: ids, times, durations, secrets, addresses. */
import { createHash } from "node:crypto";

/** The first moment of 2026. */
const base = 1_767_225_600_000;
const hour = 3_600_000;
const id = /(?<![a-z0-9])([a-z]{2,5})_[0-9a-hjkmnp-tv-z]{26}(?![0-9a-z])/g;
const made = "01kdvfms00";
/** Enough to show what an answer is made of. */
const longest = { list: 2, text: 600 };
/** Of a number, or of an object of numbers. */
const duration = /(?:Ms|duration|latency)$/i;
const secrets = /^(?:nextCursor|secret|connectToken|token|slug)$/;

export interface Constants {
  /** What a variable stands for keeps one constant in all examples. */
  name(variable: string, value: string): void;
  variables(): Record<string, string | number>;
  /** An answer with constants for what differs, and no longer than it takes to see what it is made of. */
  of(answer: unknown): unknown;
}

export function createConstants(addresses: Record<string, string>): Constants {
  const named = new Map(Object.entries(addresses));
  const variables: Record<string, string | number> = { RANDOM: 4_711, IN_AN_HOUR: base + hour };
  return {
    name(variable, value) {
      const number = Object.keys(variables).length;
      const known = named.get(value) ?? variables[variable] ?? constantText(value, named, () => number);
      variables[variable] = known;
      named.set(value, String(known));
    },
    variables: () => variables,
    of(answer) {
      const others = new Map<string, number>();
      const numberOf = (whole: string) => {
        if (!others.has(whole)) others.set(whole, 101 + others.size);
        return others.get(whole)!;
      };
      const of = (value: unknown, name: string, isDuration = false): unknown => {
        if (typeof value === "string") {
          if (secrets.test(name)) return constantSecret(value);
          const text = constantText(value, named, numberOf);
          return text.length > longest.text ? `${text.slice(0, longest.text)}…` : text;
        }
        if (typeof value === "number") return constantNumber(value, isDuration || duration.test(name));
        if (Array.isArray(value)) return value.slice(0, longest.list).map((inner) => of(inner, name));
        if (typeof value !== "object" || value === null) return value;
        const entries = Object.entries(value).map(([key, inner]) => [
          constantText(key, named, numberOf),
          of(inner, key, isDuration || duration.test(key)),
        ]);
        return Object.fromEntries(entries);
      };
      return of(answer, "");
    },
  };
}

function constantText(
  value: string,
  named: Map<string, string>,
  numberOf: (whole: string) => number,
): string {
  let text = value;
  // Some digits of a hash are no number.
  for (const [from, to] of named)
    text = text.replaceAll(/^\d+$/.test(from) ? new RegExp(`(?<!\\w)${from}(?!\\w)`, "g") : from, to);
  return text
    .replaceAll(id, (whole, prefix: string) =>
      whole.startsWith(made, prefix.length + 1)
        ? whole
        : `${prefix}_${made}${String(numberOf(whole)).padStart(16, "0")}`,
    )
    .replaceAll(
      /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
      "3f1c2a9e-5b7d-4c8e-9a10-6d2e4f8b7c15",
    )
    .replaceAll(/(?<![0-9a-zA-Z])[0-9a-f]{16,128}(?![0-9a-zA-Z])/g, (hex) =>
      "5e1f".repeat(hex.length).slice(0, hex.length),
    )
    .replaceAll(/(?<![\w-])([a-z]{1,4}_)?[\w-]{20,64}(?![\w-])/g, (token, prefix: string | undefined) =>
      [/[A-Z]/, /[a-z]/, /\d/].every((kind) => kind.test(token)) ? `${prefix ?? ""}${"x".repeat(22)}` : token,
    )
    .replaceAll(/\b\w{3}, \d\d \w{3} 20\d\d \d\d:\d\d:\d\d GMT/g, new Date(base).toUTCString())
    .replaceAll(/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, new Date(base).toISOString())
    .replaceAll(/http:\/\/127\.0\.0\.1:(?!740\d)\d{4,5}/g, "http://127.0.0.1:7400");
}

/** Of the same kind and length, and nobody's. */
function constantSecret(value: string): string {
  const prefix = /^[a-z]+_/.exec(value)?.[0] ?? "";
  return prefix + "x".repeat(Math.min(value.length - prefix.length, 32));
}

function constantNumber(value: number, isDuration: boolean): number {
  // A moment: as far from the base as it was from now, in hours.
  if (Number.isInteger(value) && value > 1.6e12 && value < 2.6e12)
    return base + Math.round((value - Date.now()) / hour) * hour;
  return isDuration && value !== 0 ? 120 : value;
}

/** Which fields an answer has, of which types, wherever they stand in its lists. */
export function shapeOf(answer: unknown): string {
  const fields = new Set<string>();
  const walk = (value: unknown, path: string): void => {
    if (Array.isArray(value)) for (const inner of value) walk(inner, `${path}[]`);
    else if (typeof value !== "object" || value === null)
      fields.add(`${path} ${value === null ? null : typeof value}`);
    else for (const [name, inner] of Object.entries(value)) walk(inner, `${path}.${name}`);
  };
  walk(answer, "");
  return createHash("sha256")
    .update([...fields].sort().join("\n"))
    .digest("hex")
    .slice(0, 12);
}
