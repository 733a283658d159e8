/**
 * @module Counting tokens, and saying how well. OpenAI publishes its encoding (`o200k_base`, of GPT-4o and everything after), so those counts are exact
 * for the text given. Other makers publish none; their counts are that count times a factor, and called estimates.
 */
import type { ModelFamily } from "./formats.ts";

export type CountTokens = (text: string) => number;

export interface CountingRule {
  accuracy: "exact encoding" | "estimate";
  factor: number;
  note: string;
}

export const countingRules: Record<ModelFamily, CountingRule> = {
  openai: {
    accuracy: "exact encoding",
    factor: 1,
    note: "Counted with OpenAI's own encoding (o200k_base); how OpenAI lays out definitions is not published, so expect a few per cent either way.",
  },
  anthropic: {
    accuracy: "estimate",
    factor: 1.15,
    note: "Anthropic publishes no tokenizer: o200k_base times 1.15; expect up to 25 % either way.",
  },
  google: {
    accuracy: "estimate",
    factor: 1,
    note: "Counted with o200k_base in place of Google's tokenizer; expect up to 25 % either way.",
  },
  other: {
    accuracy: "estimate",
    factor: 1,
    note: "Counted with o200k_base in place of the model's own tokenizer; expect up to 25 % either way.",
  },
};

/** Two megabytes of ranks, so only whoever counts pays for them. */
export async function loadTokenCounter(): Promise<CountTokens> {
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  // A definition may hold a marker such as <|endoftext|>; here it is text like any other.
  return (text) => countTokens(text, { disallowedSpecial: new Set() });
}
