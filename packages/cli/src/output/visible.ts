/** @module The one sanitiser between text we did not write and a terminal: escapes, bidi and invisible characters become visible. */
import { hiddenSpans } from "@fettle/contract/formats";

/** Most of what is printed: not looked at sign by sign. */
const plain = /^[\x20-\x7e]*$/;

/**
 * Makes hidden characters visible: ESC is shown as `␛`, a right-to-left override as `<U+202E>`.
 * One line by default; `{ lines: true }` keeps line breaks.
 *
 * @example
 * makeVisible("ok\u001b[2J"); // "ok␛[2J"
 */
export function makeVisible(text: string, { lines = false }: { lines?: boolean } = {}): string {
  if (plain.test(text)) return text;
  return hiddenSpans(text)
    .map((span) => (span.kind === "plain" || (span.text === "\n" && lines) ? span.text : picture(span.code)))
    .join("");
}

function picture(code: number): string {
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}
