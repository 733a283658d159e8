/** @module Makes characters visible that hide or turn text: zero-width, bidirectional controls, other controls, odd spaces. */

export type TextSpan = { kind: "plain"; text: string } | { kind: "hidden"; text: string; name: string };

const names: Record<number, string> = {
  0: "null",
  8: "backspace",
  27: "escape",
  127: "delete",
  160: "no-break space",
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

// Line breaks and tabs are ordinary text. A joiner between two pictographs makes one emoji and hides nothing.
const hidden =
  /(?<=\p{Extended_Pictographic}\uFE0F?)\u200D(?=\p{Extended_Pictographic})|([\p{Cc}\p{Cf}\u00A0\u115F\u1160\u2028\u2029\u3164\uFFA0\u{E0000}-\u{E0FFF}])/gu;

/**
 * @example
 * visibleSpans("a\u200bb") // plain "a", hidden "U+200B" named "zero-width space", plain "b"
 */
export function visibleSpans(text: string): TextSpan[] {
  const spans: TextSpan[] = [];
  let from = 0;
  for (const match of text.matchAll(hidden)) {
    const [, character] = match;
    if (character === undefined || character === "\n" || character === "\t" || character === "\r") continue;
    if (match.index > from) spans.push({ kind: "plain", text: text.slice(from, match.index) });
    const point = character.codePointAt(0)!;
    const code = `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
    spans.push({ kind: "hidden", text: code, name: names[point] ?? "invisible character" });
    from = match.index + character.length;
  }
  if (from < text.length) spans.push({ kind: "plain", text: text.slice(from) });
  return spans;
}
