/** @module What a launch would cost, and how sure that is. */
import type { EvalRunEstimate } from "@fettle/contract/evals";
import type { EstimateConfidence } from "@fettle/contract/models";
import { dollars } from "../../lib/amounts.ts";

const sureness: Record<EstimateConfidence, string> = {
  history: "from what earlier runs took",
  "partly history": "partly from what earlier runs took",
  heuristic: "a rough estimate: it has not run with this model yet",
  "partly unpriced": "and more: some of its models have no known price",
  unavailable: "",
};

/**
 * @example
 * launchCost(estimate) // { word: "About $0.0310", note: "from what earlier runs took" }
 */
export function launchCost({ models, costUsd, confidence }: EvalRunEstimate): {
  word: string;
  note: string;
} {
  if (models.every(({ modelClass }) => modelClass === "rules")) {
    return { word: "Free", note: "" };
  }
  if (costUsd === null) return { word: "No price known", note: "whoever set the model up gave none" };
  return { word: `About ${dollars(costUsd)}`, note: sureness[confidence] };
}
