/** @module What model calls cost, and a budget that is asked before each call. Unknown stays unknown: it is never counted as 0. */
import type { Usage } from "./messages.ts";
import { type Model, ModelError, type ModelRequest, type Price } from "./model.ts";

/** US dollars; null when the price or one of the counts is unknown. */
export function costOf(usage: Usage, price: Price | undefined): number | null {
  if (!price || usage.input === undefined || usage.output === undefined) return null;
  const { cached = 0, cacheWritten = 0 } = usage;
  const { inputPerMTok: full, cachedInputPerMTok = full, cacheWritePerMTok = full } = price;
  const input =
    Math.max(0, usage.input - cached - cacheWritten) * full +
    cached * cachedInputPerMTok +
    cacheWritten * cacheWritePerMTok;
  return (input + usage.output * price.outputPerMTok) / 1_000_000;
}

/** What a text may take, where nobody counted: a token is about four bytes. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text, "utf8") / 4);
}

/** Where a request does not say how much it lets the model write. */
const usualOutputTokens = 1_000;

/** What one call may cost, before it is made. */
export function estimateCost(request: ModelRequest, price: Price): number {
  const { system = "", messages, tools, parameters } = request;
  const input = estimateTokens(system) + estimateTokens(JSON.stringify([messages, tools]));
  const output = parameters.maxOutputTokens ?? usualOutputTokens;
  // All of it may go into the provider's cache, which can cost more than other input.
  const dearest = Math.max(price.inputPerMTok, price.cacheWritePerMTok ?? 0);
  return (input * dearest + output * price.outputPerMTok) / 1_000_000;
}

export interface SpendBudget {
  readonly limitUsd: number;
  readonly spentUsd: number;
  /** Sets aside what the call may cost, or refuses it; the returned function puts the true cost in its place. */
  reserve(model: Model, request: ModelRequest): (cost: number | null) => void;
}

/**
 * A budget for everything that shares it: several runs at once cannot pass it together.
 *
 * @example
 * const budget = createSpendBudget(0.5);
 * const settle = budget.reserve(model, request);
 * settle(costOf(answer.usage, model.price));
 */
export function createSpendBudget(limitUsd: number): SpendBudget {
  let spent = 0;
  let reserved = 0;
  return {
    limitUsd,
    get spentUsd() {
      return spent;
    },
    reserve(model, request) {
      if (model.modelClass !== "live") return () => {};
      const estimate = estimateCost(request, priceUnderLimit(model));
      if (spent + reserved + estimate > limitUsd) {
        throw new ModelError(
          "MODEL_SPEND_LIMIT",
          `The next call to ${model.id} may cost ${dollars(estimate)}; of the limit of ${dollars(limitUsd)}, ${dollars(spent)} are spent and ${dollars(reserved)} are set aside for calls under way.`,
          { hint: "Raise the limit, or run fewer cases." },
        );
      }
      reserved += estimate;
      let isOpen = true;
      return (cost) => {
        if (!isOpen) return;
        isOpen = false;
        reserved = Math.max(0, reserved - estimate);
        // What nobody counted is taken for what was set aside: a budget must not be passed by silence.
        spent += cost ?? estimate;
      };
    },
  };
}

/** A limit on what nobody can count would hold nothing back. */
export function priceUnderLimit({ id, price }: Pick<Model, "id" | "price">): Price {
  if (price) return price;
  throw new ModelError("MODEL_PRICE_UNKNOWN", `A spending limit is set, but what ${id} costs is unknown.`, {
    hint: "Give its price under models.prices, or leave the limit away.",
  });
}

function dollars(amount: number): string {
  return `$${amount.toFixed(amount >= 1 ? 2 : 4)}`;
}
