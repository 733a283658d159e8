/** @module One word of a command that is shown to be pasted into a shell. */
import { hiddenSpans } from "./hidden-characters.ts";

/**
 * Quoted where it has to be. What a terminal would act on, or nobody would see, is spelled out.
 *
 * @example
 * shellWord("it's"); // 'it'\''s'
 * shellWord("a\u001bb"); // $'a\u001bb'
 */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  const spans = hiddenSpans(word);
  if (spans.every(({ kind }) => kind === "plain")) return `'${word.replaceAll("'", "'\\''")}'`;
  const spelled = spans.map((span) =>
    span.kind === "plain"
      ? span.text.replace(/[\\']/g, "\\$&")
      : `\\U${span.code.toString(16).padStart(8, "0")}`,
  );
  return `$'${spelled.join("")}'`;
}
