/** @module Trying an author's regular expression on a text a model wrote, in time that grows with both and no further. */
import { linearPattern } from "@fettle/contract/servers";

/** A text longer than this is not searched. */
const maxTextLength = 100_000;

export type PatternOutcome = "matches" | "differs" | "invalid" | "too-long";

/** A bound of the judge was met before it could tell: that is no verdict about anybody. */
export class JudgeLimit extends Error {}

/**
 * Throws a JudgeLimit when it would take too many steps.
 *
 * @example
 * testPattern("^order \\d+$", "order 17"); // "matches"
 */
export function testPattern(source: string, text: string): PatternOutcome {
  if (patternFault(source) !== undefined) return "invalid";
  if (text.length > maxTextLength) return "too-long";
  const pattern = linearPattern(source);
  const outcome = pattern.kind === "usable" && pattern.test(text);
  if (outcome !== "out of steps") return outcome ? "matches" : "differs";
  const shown = source.length > 200 ? `${source.slice(0, 200)}…` : source;
  throw new JudgeLimit(`The pattern ${shown} takes too many steps on so long a text.`);
}

/** What is wrong with a pattern's text, as the end of a sentence about it; undefined when it can be used. */
export function patternFault(source: string): string | undefined {
  if (source === "") return "is empty, and every text matches that.";
  const pattern = linearPattern(source);
  if (pattern.kind === "unusable") return `cannot be used as a pattern, because it ${pattern.reason}.`;
  // (a+)+ and its like: harmless here, but not in the engines of others who read the file.
  if (/[+*}]\??\)[+*{]/.test(source))
    return "has a quantifier on a group that ends in one, which can take forever.";
  return undefined;
}
