/** @module The one sanitiser between text we did not write and a terminal: escapes, bidi and invisible characters become visible. */

/**
 * Anything a terminal could act on or a reader could not see: controls, format characters (bidi overrides, zero-width),
 * lone surrogates, line and paragraph separators, and everything Unicode lets a renderer ignore (fillers, tags, selectors).
 */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Emoji are built with joiners and selectors; inside one, they are what the writer meant. */
const emoji = /\p{RGI_Emoji}/gv;

/**
 * Makes hidden characters visible: ESC is shown as `␛`, a right-to-left override as `<U+202E>`.
 * One line by default; `{ lines: true }` keeps line breaks.
 *
 * @example
 * makeVisible("ok\u001b[2J"); // "ok␛[2J"
 */
export function makeVisible(text: string, options: { lines?: boolean } = {}): string {
  if (!hidden.test(text)) return text;
  hidden.lastIndex = 0;
  let shown = "";
  let from = 0;
  for (const match of text.matchAll(emoji)) {
    shown += showHidden(text.slice(from, match.index), options) + match[0];
    from = match.index + match[0].length;
  }
  return shown + showHidden(text.slice(from), options);
}

function showHidden(text: string, { lines = false }: { lines?: boolean }): string {
  return text.replace(hidden, (character) => {
    if (character === "\n" && lines) return character;
    return picture(character.codePointAt(0)!);
  });
}

function picture(code: number): string {
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}
