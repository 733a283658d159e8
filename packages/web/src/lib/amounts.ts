/** @module Shares, durations and money, as people read them. */

/**
 * @example
 * percent(0.5) // "50 %"
 */
export function percent(share: number): string {
  const value = share * 100;
  return `${Number.isInteger(value) ? value : value.toFixed(1)} %`;
}

export function took(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

export function dollars(usd: number): string {
  return `$${usd.toFixed(usd === 0 || usd >= 1 ? 2 : 4)}`;
}
