/** @module What a launch may cost, and how sure that is. Pure: what earlier runs took goes in. */
import { limits } from "@fettle/contract/core";
import type { EstimateConfidence } from "@fettle/contract/models";
import type { Price } from "./model.ts";

/** Calls that are alike: the turns of one case, say. */
export interface PlannedCalls {
  calls: number;
  /** What one such call took before, as the median of the last ones; absent: unknown. */
  usual?: { input: number; output: number };
  /** Absent: unknown. A model that costs nothing has a price of 0. */
  price?: Price;
}

export interface SpendEstimate {
  calls: number;
  inputTokens: number;
  outputTokens: number;
  /** Of what has a price; null when nothing has. */
  costUsd: number | null;
  confidence: EstimateConfidence;
}

/**
 * @example
 * estimateSpend([{ calls: 12, usual: { input: 4_000, output: 300 }, price: { inputPerMTok: 1, outputPerMTok: 5 } }]);
 */
export function estimateSpend(planned: readonly PlannedCalls[]): SpendEstimate {
  const parts = planned
    .filter(({ calls }) => calls > 0)
    .map(({ calls, usual, price }) => {
      const { input, output } = usual ?? limits.models.usualTokens;
      const one = price && (input * price.inputPerMTok + output * price.outputPerMTok) / 1_000_000;
      return {
        calls,
        input: calls * input,
        output: calls * output,
        cost: one === undefined ? null : calls * one,
        isKnown: usual !== undefined,
      };
    });
  const priced = parts.filter(({ cost }) => cost !== null);
  return {
    calls: sum(parts.map(({ calls }) => calls)),
    inputTokens: sum(parts.map(({ input }) => input)),
    outputTokens: sum(parts.map(({ output }) => output)),
    costUsd: priced.length === 0 && parts.length > 0 ? null : sum(priced.map(({ cost }) => cost ?? 0)),
    confidence: confidenceOf(parts.length, priced.length, parts.filter(({ isKnown }) => isKnown).length),
  };
}

/** What is not priced matters more than what is guessed: it is not in the sum at all. */
function confidenceOf(all: number, priced: number, known: number): EstimateConfidence {
  if (priced < all) return priced === 0 ? "unavailable" : "partly unpriced";
  if (known === all) return "history";
  return known === 0 ? "heuristic" : "partly history";
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
