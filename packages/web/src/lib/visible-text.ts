/** @module Makes characters visible that hide or turn text, with their names. Which ones those are, the contract says. */
import { hiddenSpans } from "@fettle/contract/formats";

export type TextSpan = { kind: "plain"; text: string } | { kind: "hidden"; text: string; name: string };

const names: Record<number, string> = {
  0: "null",
  8: "backspace",
  27: "escape",
  127: "delete",
  173: "soft hyphen",
  1564: "Arabic letter mark",
  8203: "zero-width space",
  8204: "zero-width non-joiner",
  8205: "zero-width joiner",
  8206: "left-to-right mark",
  8207: "right-to-left mark",
  8232: "line separator",
  8233: "paragraph separator",
  8234: "left-to-right embedding",
  8235: "right-to-left embedding",
  8236: "end of direction",
  8237: "left-to-right override",
  8238: "right-to-left override",
  8288: "word joiner",
  8294: "left-to-right isolate",
  8295: "right-to-left isolate",
  8296: "first-strong isolate",
  8297: "end of isolate",
  65279: "byte order mark",
};

/** The same as plain text, for what is formatted afterwards. */
export function visibleWords(text: string): string {
  return visibleSpans(text)
    .map((span) => span.text)
    .join("");
}

/**
 * @example
 * visibleSpans("a\u200bb") // plain "a", hidden "U+200B" named "zero-width space", plain "b"
 */
export function visibleSpans(text: string): TextSpan[] {
  return hiddenSpans(text).map((span) => {
    // Line breaks and tabs are ordinary text in a page.
    if (span.kind === "plain" || /^[\n\t\r]$/.test(span.text)) return { kind: "plain", text: span.text };
    const code = `U+${span.code.toString(16).toUpperCase().padStart(4, "0")}`;
    return { kind: "hidden", text: code, name: names[span.code] ?? "invisible character" };
  });
}
