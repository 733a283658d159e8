/** @module A command line into words, as a shell would without doing anything else: quotes and backslashes, no variables, no globs. */
import { usageError } from "../cli-error.ts";

/**
 * @example
 * splitWords(`node "my server.js" --name it\\'s`); // ["node", "my server.js", "--name", "it's"]
 */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at]!;
    if (quote !== undefined) {
      if (sign === quote) quote = undefined;
      else if (sign === "\\" && quote === '"' && /["\\]/.test(line[at + 1] ?? "")) word += line[++at]!;
      else word += sign;
    } else if (sign === "'" || sign === '"') {
      quote = sign;
      word ??= "";
    } else if (sign === "\\" && at + 1 < line.length) {
      word = (word ?? "") + line[++at]!;
    } else if (/\s/.test(sign)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? "") + sign;
    }
  }
  if (quote !== undefined) throw usageError(`A quote is not closed in: ${line}`);
  if (word !== undefined) words.push(word);
  return words;
}
