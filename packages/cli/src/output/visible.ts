/** @module The one sanitiser between text we did not write and a terminal: escapes, bidi and invisible characters become visible. */

/** Nearly every text; the classes below take a millisecond to set up. */
const ordinary = /^[\x20-\x7e]*$/;

/**
 * Anything a terminal could act on or a reader could not see: controls, format characters (bidi overrides, zero-width),
 * lone surrogates, line and paragraph separators, and everything Unicode lets a renderer ignore (fillers, tags, selectors).
 */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** What emoji are built with: the joiner, the selector, the tags of flags. */
const emojiParts = /[\u200d\ufe0f\u{e0020}-\u{e007f}]/u;

/**
 * Makes hidden characters visible: ESC is shown as `␛`, a right-to-left override as `<U+202E>`.
 * One line by default; `{ lines: true }` keeps line breaks.
 *
 * @example
 * makeVisible("ok\u001b[2J"); // "ok␛[2J"
 */
export function makeVisible(text: string, { lines = false }: { lines?: boolean } = {}): string {
  if (ordinary.test(text)) return text;
  if (!emojiParts.test(text)) return showHidden(text, lines);
  let shown = "";
  let from = 0;
  // Inside an emoji, its parts are what the writer meant. The class of all emoji takes 40 ms to set up, hence here.
  for (const match of text.matchAll(/\p{RGI_Emoji}/gv)) {
    shown += showHidden(text.slice(from, match.index), lines) + match[0];
    from = match.index + match[0].length;
  }
  return shown + showHidden(text.slice(from), lines);
}

function showHidden(text: string, lines: boolean): string {
  return text.replace(hidden, (character) =>
    character === "\n" && lines ? character : picture(character.codePointAt(0)!),
  );
}

function picture(code: number): string {
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}
