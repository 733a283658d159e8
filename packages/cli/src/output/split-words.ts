/** @module A command line into words, as a shell would without doing anything else: quotes and backslashes, no variables, no globs. */
import { usageError } from "../cli-error.ts";

/**
 * @example
 * splitWords(`node "my server.js" --name it\\'s`); // ["node", "my server.js", "--name", "it's"]
 */
export function splitWords(line: string): string[] {
  return writtenWords(line).map(({ word }) => word);
}

export interface WrittenWord {
  word: string;
  /** As it stands in the line, quotes included. */
  written: string;
}

export function writtenWords(line: string): WrittenWord[] {
  const words: WrittenWord[] = [];
  let word: string | undefined;
  let from = 0;
  let quote: string | undefined;
  const begun = (at: number) => {
    if (word === undefined) from = at;
    return word ?? "";
  };
  const end = (at: number) => {
    if (word !== undefined) words.push({ word, written: line.slice(from, at) });
    word = undefined;
  };
  for (let at = 0; at < line.length; at += 1) {
    const sign = line.charAt(at);
    if (quote !== undefined) {
      if (sign === quote) quote = undefined;
      else if (sign === "\\" && quote === '"' && /["\\]/.test(line[at + 1] ?? "")) word += line.charAt(++at);
      else word += sign;
    } else if (sign === "'" || sign === '"') {
      word = begun(at);
      quote = sign;
    } else if (sign === "\\" && at + 1 < line.length) {
      word = begun(at) + line.charAt(++at);
    } else if (/\s/.test(sign)) {
      end(at);
    } else {
      word = begun(at) + sign;
    }
  }
  if (quote !== undefined) throw usageError(`A quote is not closed in: ${line}`);
  end(line.length);
  return words;
}
