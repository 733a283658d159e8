/** @module Which characters hide or turn text, or make a terminal act: one list for terminals, files and pages. */

import { must } from "./must.ts";

/** Nearly every text; the classes below take a millisecond to set up. */
const ordinary = /^[\x20-\x7e\n\t]*$/;

/**
 * Controls (C0 and C1), format characters (bidi overrides, zero-width), lone surrogates, line and paragraph separators, and
 * everything Unicode lets a renderer ignore (fillers, tags, selectors).
 */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** What emoji are built with: the joiner, the selector, the tags of flags. */
const emojiParts = /[\u200d\ufe0f\u{e0020}-\u{e007f}]/u;

/** `text` of a hidden one is the character itself. */
export type TextSpan = { kind: "plain"; text: string } | { kind: "hidden"; text: string; code: number };

/** Cuts out what is hidden. Inside an emoji, its parts are what the writer meant. */
export function hiddenSpans(text: string): TextSpan[] {
  if (/^[\x20-\x7e]*$/.test(text)) return text === "" ? [] : [{ kind: "plain", text }];
  const spans: TextSpan[] = [];
  let from = 0;
  const plain = (to: number) => {
    if (to > from) spans.push({ kind: "plain", text: text.slice(from, to) });
  };
  const emojis = emojisIn(text).values();
  let emoji = emojis.next().value;
  for (const { index, 0: character } of text.matchAll(hidden)) {
    while (emoji && emoji.end <= index) emoji = emojis.next().value;
    if (emoji && emoji.start <= index) continue;
    plain(index);
    const code = must(character.codePointAt(0), "a code for each character");
    spans.push({ kind: "hidden", text: character, code });
    from = index + character.length;
  }
  plain(text.length);
  return spans;
}

/** The class of all emoji takes 40 ms to set up, hence only where one may be. */
function emojisIn(text: string): { start: number; end: number }[] {
  if (!emojiParts.test(text)) return [];
  return Array.from(text.matchAll(/\p{RGI_Emoji}/gv), ({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
  }));
}

/**
 * The same document without a hidden character in it: each is spelled `\uXXXX`, which in JSON is the very same text. Line breaks
 * and tabs stay. For XML, which has no such escape, it is a visible form.
 *
 * @example
 * escapeHidden(JSON.stringify("ok\u009b2J")); // "\"ok\\u009b2J\""
 */
export function escapeHidden(document: string): string {
  if (ordinary.test(document)) return document;
  return document.replace(hidden, (character) =>
    character === "\n" || character === "\t" ? character : spelled(character),
  );
}

/** Each half of a pair by itself, as JSON wants it. */
function spelled(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
  ).join("");
}
