/** @module Trying an author's regular expression on a text a model wrote: bounded in size and in time. */
import { createContext, runInContext } from "node:vm";

/** A text longer than this is not searched. */
const maxTextLength = 100_000;
/** A pattern that needs longer backtracks without end; an honest one needs a thousandth of it. */
const budgetMs = 1000;

export type PatternOutcome = "matches" | "differs" | "invalid" | "too-long";

/** A bound of the judge was met before it could tell: that is no verdict about anybody. */
export class JudgeLimit extends Error {}

/**
 * Throws a JudgeLimit when the time is over.
 *
 * @example
 * testPattern("^order \\d+$", "order 17"); // "matches"
 */
export function testPattern(source: string, text: string): PatternOutcome {
  if (patternFault(source) !== undefined) return "invalid";
  if (text.length > maxTextLength) return "too-long";
  // The engine looks for an end between steps back, so that a deadline stops it inside a single match.
  const context = createContext({ source, text });
  try {
    return runInContext("new RegExp(source).test(text)", context, { timeout: budgetMs })
      ? "matches"
      : "differs";
  } catch (cause) {
    throw new JudgeLimit(`The pattern ${source} took longer than ${budgetMs} ms.`, { cause });
  }
}

/** What is wrong with a pattern's text; undefined when it can be used. */
export function patternFault(source: string): string | undefined {
  if (source === "") return "An empty pattern matches everything.";
  try {
    new RegExp(source);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  // (a+)+ and its like: a quantifier, and another on the group around it.
  if (/[+*}]\??\)[+*{]/.test(source)) return "A quantifier on a group that ends in one can take forever.";
  return undefined;
}
