/** @module Takes credentials out of what others wrote, and cuts it: scrubbed, cut, scrubbed again, since a cut can leave half a secret. Pure. */
import { redactedText, redactText } from "@fettle/contract/secrets";

export type Scrub = (text: string) => string;

/** Hides what it is told of: the values that somebody knows to be secret. */
export function hideValues(values: Iterable<string>): Scrub {
  // The longest first: one may hold another.
  const known = [...new Set(values)]
    .filter((value) => value.length >= shortestSecret)
    .sort((one, other) => other.length - one.length || (one < other ? -1 : 1));
  return (text) => known.reduce((rest, value) => rest.replaceAll(value, redactedText), text);
}

/** Shorter ones are ordinary words, and hiding them would hide everything. */
const shortestSecret = 4;

/** A name that says it is a secret, then its value. What follows may also be a sentence about it: "token is missing". */
const named =
  /((?:password|passwd|passphrase|pwd|secret|token|api[ _-]?key|access[ _-]?key|private[ _-]?key|credentials?|cookie|authorization|bearer)\w{0,20}\\{0,4}["']?\s{0,3}(?:[:=]|\bis\b)\s{0,3}\\{0,4}["']?)(?!\[REDACTED\]|(?:required|missing|invalid|expired|not|no|an?|the|too|empty|null|undefined|must|expected|malformed|wrong|of)\b)[^\s"'\\,;&)}\]]+/gi;

/** Great and small letters and digits mixed: no word, no id that servers make, and it may open something. */
const mixed = /(?<![\w/+-])(?=[\w/+-]*?[a-z])(?=[\w/+-]*?[A-Z])(?=[\w/+-]*?\d[\w/+-]*?\d)[\w/+-]{16,}={0,2}/g;

/** Long ids too: nobody reads them in a passage. A template keeps their places by other names. */
const random = /(?<![\w-])(?=(?:[\w-]*?\d){3})(?=[\w-]*?[A-Za-z])[\w-]{20,}/g;

export function scrubbed(text: string, hide: Scrub = (said) => said): string {
  return redactText(hide(text)).replace(named, `$1${redactedText}`).replace(mixed, redactedText);
}

/** One line, at most so long. */
export function excerptOf(text: string, length: number, hide?: Scrub): string {
  // Far more than is shown, so that a secret at the end is still whole when it is looked for.
  const clean = scrubbed(text.slice(0, length * 8), hide)
    .replace(random, redactedText)
    .replace(/\s+/g, " ")
    .trim();
  return scrubbed(clipped(clean, length), hide);
}

export function clipped(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;
}

export const longestName = 80;

/** A name from a server's own list, fit to stand in a sentence of ours. */
export function identifierOf(text: string): string {
  return clipped(text.replace(/[\s"`<>]+/g, " ").trim(), longestName);
}

/** What anybody may have written as a name. */
export const nameOf = (text: string, hide?: Scrub) => identifierOf(scrubbed(text, hide));

/** @example counted(1, "call") // "1 call" */
export const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;
