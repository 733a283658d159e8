/** @module The next command for the same server. Which one that is, and as whom, is added where advice is completed (`program/advice.ts`). */
import { shellWords } from "../output/shell-words.ts";
import { style, type Text } from "../output/text.ts";

/**
 * @example
 * suggest(["tools", "call"], ["--tool-name", "search"])
 */
export function suggest(words: readonly string[], extra: readonly string[] = []): Text {
  return style.cyan(shellWords(["fettle", ...words, ...extra]));
}
