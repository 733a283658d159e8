/** @module Shares, durations and money, as people read them. */

/**
 * @example
 * percent(0.5) // "50 %"
 */
export function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}

/** Rounded before its unit is chosen: a minute is never sixty seconds beside one minute less. */
export function took(ms: number): string {
  if (Math.round(ms) < 1000) return `${Math.round(ms)} ms`;
  const seconds = (ms / 1000).toFixed(1);
  if (Number(seconds) < 60) return `${seconds} s`;
  const whole = Math.round(ms / 1000);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

export function dollars(usd: number): string {
  return `$${usd.toFixed(usd === 0 || usd >= 1 ? 2 : 4)}`;
}
