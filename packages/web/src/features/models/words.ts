/** @module How a provider's state and an amount of money are said. */
import type { ModelProvider } from "@fettle/contract/models";

/** Those that somebody has set up, what needs a look first. */
export function setUp(providers: readonly ModelProvider[]): ModelProvider[] {
  return providers
    .filter(({ source, models }) => source !== null || models.length > 0)
    .toSorted((a, b) => Number(a.available) - Number(b.available));
}

export function sourceWords(source: ModelProvider["source"]): string {
  if (source === null) return "Nobody";
  return source === "organization" ? "This organization" : "Whoever runs this service";
}

/**
 * Unknown is never nothing.
 *
 * @example
 * dollars(0.0123) // "$0.0123"
 */
export function dollars(usd: number | null): string {
  if (usd === null) return "No price known";
  return `$${usd.toFixed(usd === 0 || usd >= 1 ? 2 : 4)}`;
}

export function count(number: number): string {
  return number.toLocaleString("en");
}
