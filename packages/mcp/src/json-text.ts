/** @module JSON text from a server: measured before it is parsed, so that a hostile document costs a scan and no memory. Long numbers keep their digits. */
import { parseExactNumbers } from "@fettle/contract";

export interface JsonLimits {
  jsonDepth: number;
  jsonElements: number;
}

export type ParsedJson = { ok: true; value: unknown } | { ok: false; reason: string; limit: boolean };

/** Parses text within the caps. `limit` tells a document that is too much from one that is not JSON. */
export function parseJsonWithin(text: string, limits: JsonLimits): ParsedJson {
  const { excess, hasLongNumber } = measure(text, limits);
  if (excess !== undefined) return { ok: false, reason: excess, limit: true };
  try {
    return { ok: true, value: hasLongNumber ? parseExactNumbers(text) : JSON.parse(text) };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : "not JSON", limit: false };
  }
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

/** One pass over the text: commas and opening brackets outside strings bound the element count from above. */
function measure(text: string, limits: JsonLimits): { excess?: string; hasLongNumber: boolean } {
  let depth = 0;
  let elements = 0;
  let hasLongNumber = false;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at);
        break;
      case openBracket:
      case openBrace:
        depth++;
        elements++;
        if (depth > limits.jsonDepth)
          return { excess: `nested deeper than ${limits.jsonDepth}`, hasLongNumber };
        break;
      case closeBracket:
      case closeBrace:
        depth--;
        break;
      case comma:
        elements++;
        if (elements > limits.jsonElements)
          return { excess: `more than ${limits.jsonElements} elements`, hasLongNumber };
        break;
      default: {
        if (!isDigit(text.charCodeAt(at))) break;
        const start = at;
        while (isDigit(text.charCodeAt(at + 1))) at++;
        hasLongNumber ||= at - start >= safeDigits || isExponent(text.charCodeAt(at + 1));
      }
    }
  }
  return { hasLongNumber };
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isExponent(code: number): boolean {
  return code === 0x65 || code === 0x45;
}

function endOfString(text: string, start: number): number {
  let from = start + 1;
  for (;;) {
    const end = text.indexOf('"', from);
    if (end === -1) return text.length;
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return end;
    from = end + 1;
  }
}
