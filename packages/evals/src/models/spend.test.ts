import { expect, test } from "vitest";
import type { Model, ModelRequest } from "./model.ts";
import { createSpendBudget, estimateCost, estimateTokens } from "./spend.ts";

/** A million tokens cost a million dollars in and two out, so that a token costs one and two. */
const price = { inputPerMTok: 1_000_000, outputPerMTok: 2_000_000 };
const request: ModelRequest = {
  messages: [],
  tools: [],
  toolChoice: "none",
  parameters: { maxOutputTokens: 10 },
  now: 0,
  position: { prompt: 0, step: 0 },
};
const model = { id: "m", modelClass: "live", price } as Model;
/** `[[],[]]` is two tokens. */
const estimate = 2 + 20;

test("a token is about four bytes of a text, and a part of one is a whole one", () => {
  expect(["", "abcd", "abcde", "ßßß"].map(estimateTokens)).toEqual([0, 1, 2, 2]);
});

test("what a call may cost is its whole request and all it may be answered with", () => {
  expect(estimateCost(request, price)).toBe(estimate);
  expect(estimateCost({ ...request, system: "12345678" }, price)).toBe(estimate + 2);
  expect(estimateCost({ ...request, parameters: {} }, price)).toBe(2 + 2_000);
});

test("calls under way count with what they may cost, settled ones with what they did, each once", () => {
  const budget = createSpendBudget(2 * estimate);
  const first = budget.reserve(model, request);
  const second = budget.reserve(model, request);
  expect(() => budget.reserve(model, request)).toThrow(
    expect.objectContaining({
      code: "MODEL_SPEND_LIMIT",
      message:
        "The next call to m may cost $22.00; of the limit of $44.00, $0.0000 are spent and $44.00 are set aside for calls under way.",
    }),
  );
  expect(budget.spentUsd).toBe(0);
  first(0);
  first(100);
  expect(budget.spentUsd).toBe(0);
  const third = budget.reserve(model, request);
  expect(() => budget.reserve(model, request)).toThrow("$44.00 are set aside");
  // Nobody counted it: it is taken for what was set aside.
  second(null);
  third(3);
  expect(budget.spentUsd).toBe(estimate + 3);
  expect(() => budget.reserve(model, request)).toThrow("$25.00 are spent and $0.0000 are set aside");
});

test("only live models cost money, and one without a price cannot be held to a limit", () => {
  const budget = createSpendBudget(0);
  budget.reserve({ ...model, modelClass: "rules" }, request)(100);
  expect(budget.spentUsd).toBe(0);
  const { price: _, ...unpriced } = model;
  expect(() => budget.reserve(unpriced, request)).toThrow(
    expect.objectContaining({ code: "MODEL_PRICE_UNKNOWN" }),
  );
});
