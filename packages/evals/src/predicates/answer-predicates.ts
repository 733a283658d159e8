/** @module What is asked of the final answer and of the repetition as a whole. */
import { limits } from "@fettle/contract/core";
import { redactText, secretPatterns } from "@fettle/contract/secrets";
import { z } from "zod";
import { counted } from "../told.ts";
import { patternFault, testPattern } from "./pattern.ts";
import { positive, predicate, seen } from "./predicate.ts";

const pattern = z.string().superRefine((source, context) => {
  const fault = patternFault(source);
  if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
});

const quoted = (text: string | undefined) =>
  text === undefined ? "there is no final answer" : `answered: ${text}`;

export const answerPredicates = [
  predicate(
    "responseContains",
    "the final answer contains a text",
    { needle: z.string().min(1), caseSensitive: z.boolean().optional() },
    ({ needle, caseSensitive = false }, { finalText }) => {
      const fold = (text: string) => (caseSensitive ? text : text.toLowerCase());
      const found = finalText !== undefined && fold(finalText).includes(fold(needle));
      return seen(found, found ? "found" : `"${needle}" is not in it; ${quoted(finalText)}`);
    },
  ),
  predicate(
    "responseMatches",
    "the final answer matches a pattern",
    { pattern },
    ({ pattern: source }, { finalText }) => {
      if (finalText === undefined) return seen(false, quoted(finalText));
      const outcome = testPattern(source, finalText);
      return seen(outcome === "matches", outcome === "differs" ? quoted(finalText) : outcome);
    },
  ),
  predicate("finalAssistantMessageNonEmpty", "there is a final answer", {}, (_, { finalText }) => {
    const some = finalText !== undefined && finalText.trim() !== "";
    return seen(some, some ? "there is one" : "there is none");
  }),
  predicate(
    "noSecretsInResponse",
    "the final answer holds no credential",
    { patterns: z.array(pattern).min(1).max(limits.evals.secretPatterns).optional() },
    ({ patterns = secretPatterns }, { finalText = "" }) => {
      const found = patterns.filter((source) => testPattern(source, finalText) !== "differs");
      const hidden = redactText(finalText) !== finalText;
      return seen(
        found.length === 0 && !hidden,
        found[0] ?? (hidden ? "it holds a credential" : "none found"),
      );
    },
  ),
  predicate(
    "tokenBudgetUnder",
    "the repetition used fewer tokens than a bound",
    { tokens: positive },
    ({ tokens }, { usage }) => {
      const { inputTokens, outputTokens, totalTokens } = usage ?? {};
      if (totalTokens === undefined && (inputTokens === undefined || outputTokens === undefined)) {
        return seen(false, "tokens were not measured");
      }
      const used = Math.max(totalTokens ?? 0, (inputTokens ?? 0) + (outputTokens ?? 0));
      return seen(used < tokens, counted(used, "token"));
    },
    { perTurn: false },
  ),
  predicate(
    "turnCountUnder",
    "there were fewer turns than a bound",
    { turns: positive },
    ({ turns }, { turnCount }) => {
      if (turnCount === undefined || !Number.isInteger(turnCount) || turnCount < 0) {
        return seen(false, "turns were not counted");
      }
      return seen(turnCount < turns, counted(turnCount, "turn"));
    },
    { perTurn: false },
  ),
] as const;
