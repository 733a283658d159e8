/** @module What a turn took, in one line. What nobody counted is said so, never 0. */
import type { ShownTurn } from "../../kit/chat/turns.ts";

const count = new Intl.NumberFormat("en");

/**
 * @example
 * turnCostText(turn) // "1.2 s · 310 tokens in, 24 out · $0.0021"
 */
export function turnCostText({ tookMs, usage, finishReason }: ShownTurn): string {
  const tokens = (many: number | undefined) => (many === undefined ? "unknown" : count.format(many));
  const parts = [
    ...(finishReason === "cancelled" ? ["Stopped"] : []),
    ...(tookMs === null ? [] : [tookMs < 1_000 ? `${tookMs} ms` : `${(tookMs / 1_000).toFixed(1)} s`]),
    ...(usage ? [`${tokens(usage.inputTokens)} tokens in, ${tokens(usage.outputTokens)} out`] : []),
    ...(usage ? [usage.costUsd === null ? "cost unknown" : costText(usage.costUsd)] : []),
  ];
  return parts.join(" · ");
}

function costText(dollars: number): string {
  if (dollars === 0) return "free";
  return dollars < 0.0001 ? "less than $0.0001" : `$${dollars.toFixed(4)}`;
}
