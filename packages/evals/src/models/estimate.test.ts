import { expect, test } from "vitest";
import { estimateSpend, type PlannedCalls } from "./estimate.ts";

const price = { inputPerMTok: 1, outputPerMTok: 5 };
const usual = { input: 1_000, output: 100 };

test.each<[what: string, planned: PlannedCalls[], costUsd: number | null, confidence: string]>([
  ["nothing planned", [], 0, "history"],
  ["all seen before", [{ calls: 10, usual, price }], 0.015, "history"],
  [
    "some seen before",
    [
      { calls: 10, usual, price },
      { calls: 1, price },
    ],
    0.025,
    "partly history",
  ],
  ["none seen before", [{ calls: 2, price }], 0.02, "heuristic"],
  ["free", [{ calls: 2, usual, price: { inputPerMTok: 0, outputPerMTok: 0 } }], 0, "history"],
  [
    "one without a price",
    [
      { calls: 10, usual, price },
      { calls: 1, usual },
    ],
    0.015,
    "partly unpriced",
  ],
  ["none with a price", [{ calls: 10, usual }], null, "unavailable"],
  ["no calls of the unpriced one", [{ calls: 10, usual, price }, { calls: 0 }], 0.015, "history"],
])("%s", (_, planned, costUsd, confidence) => {
  const estimate = estimateSpend(planned);
  expect(estimate.confidence).toBe(confidence);
  if (costUsd === null) expect(estimate.costUsd).toBeNull();
  else expect(estimate.costUsd).toBeCloseTo(costUsd, 12);
});
