/** @module The next command for the same server, as one would type it; credentials are left for the person to add. */
import { targetWords } from "@fettle/checks";
import { shellWords } from "../output/shell-words.ts";
import { style, type Text } from "../output/text.ts";
import type { Plan } from "./open-server.ts";

/**
 * @example
 * suggest(plan, ["tools", "call"], ["--tool-name", "search"])
 */
export function suggest(
  { facts }: Pick<Plan, "facts">,
  words: readonly string[],
  extra: readonly string[] = [],
): Text {
  return style.cyan(shellWords(["fettle", ...words, ...targetWords(facts), ...extra]));
}
