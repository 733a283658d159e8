/** @module JSON text from a server: measured before it is parsed, so that a hostile document costs a scan and no memory. Long numbers keep their digits. */
import { parseExactNumbers } from "@fettle/contract/formats";

export interface JsonLimits {
  jsonDepth: number;
  jsonElements: number;
}

export type ParsedJson = { ok: true; value: unknown } | { ok: false; reason: string; limit: boolean };

/** What a scan found out about a text. */
export interface JsonMeasure {
  /** Why it is too much, if it is. */
  excess: string | undefined;
  hasLongNumber: boolean;
}

/** Parses text within the caps. `limit` tells a document that is too much from one that is not JSON. */
export function parseJsonWithin(
  text: string,
  limits: JsonLimits,
  { excess, hasLongNumber }: JsonMeasure = measure(text, limits),
): ParsedJson {
  if (excess !== undefined) return { ok: false, reason: excess, limit: true };
  try {
    return { ok: true, value: hasLongNumber ? parseExactNumbers(text) : JSON.parse(text) };
  } catch (error) {
    return { ok: false, reason: syntaxReason(error), limit: false };
  }
}

/** The parser's words without its quote of the text: half of a secret is in no list of what is to be hidden. */
export function syntaxReason(error: unknown): string {
  const said = error instanceof Error ? error.message : "not JSON";
  return said.replace(/(?:, (?:\.\.\.)?|^)".*"(?:\.\.\.)? is not valid JSON$/s, "") || "not JSON";
}

function measure(text: string, limits: JsonLimits): JsonMeasure {
  const meter = new JsonMeter(limits);
  meter.push(text);
  return meter;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Digits that a double holds whatever they are. */
const safeDigits = 15;

/**
 * One pass over the text, piece by piece as it comes: commas and opening brackets outside strings bound the element
 * count from above. All it looks for is ASCII, so UTF-8 bytes may be pushed as latin1 without being decoded.
 */
export class JsonMeter implements JsonMeasure {
  excess: string | undefined;
  hasLongNumber = false;
  readonly #limits: JsonLimits;
  #depth = 0;
  #elements = 0;
  #inString = false;
  /** Backslashes at the end of the last piece, when that was inside a string. */
  #slashes = 0;
  /** Digits at the end of the last piece, when that was inside a number. */
  #digits = 0;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
  }

  push(text: string): void {
    if (this.excess !== undefined) return;
    const { jsonDepth, jsonElements } = this.#limits;
    let depth = this.#depth;
    let elements = this.#elements;
    let digits = this.#digits;
    for (let at = this.#inString ? this.#skipString(text, 0) : 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (isDigit(code)) {
        digits++;
        if (digits > safeDigits) this.hasLongNumber = true;
        continue;
      }
      if (digits > 0 && isExponent(code)) this.hasLongNumber = true;
      digits = 0;
      switch (code) {
        case quote:
          at = this.#skipString(text, at + 1) - 1;
          break;
        case openBracket:
        case openBrace:
          depth++;
          elements++;
          if (depth > jsonDepth) {
            this.excess = `nested deeper than ${jsonDepth}`;
            return;
          }
          break;
        case closeBracket:
        case closeBrace:
          depth--;
          break;
        case comma:
          elements++;
          if (elements > jsonElements) {
            this.excess = `more than ${jsonElements} elements`;
            return;
          }
      }
    }
    this.#depth = depth;
    this.#elements = elements;
    this.#digits = digits;
  }

  /** Where the string that `from` is inside of has ended; the end of the text if it goes on in the next piece. */
  #skipString(text: string, from: number): number {
    let start = from;
    for (;;) {
      const end = text.indexOf('"', start);
      const slashes = this.#slashesBefore(text, end === -1 ? text.length : end, start);
      this.#slashes = 0;
      if (end === -1) {
        this.#inString = true;
        this.#slashes = slashes;
        return text.length;
      }
      start = end + 1;
      if (slashes % 2 === 0) {
        this.#inString = false;
        return start;
      }
    }
  }

  #slashesBefore(text: string, end: number, start: number): number {
    let at = end;
    while (at > start && text.charCodeAt(at - 1) === backslash) at--;
    return at > start ? end - at : end - at + this.#slashes;
  }
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isExponent(code: number): boolean {
  return code === 0x65 || code === 0x45;
}
