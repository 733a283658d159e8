/** @module Whether a key still works, and in which order keys are listed. */
import type { ApiKey } from "@fettle/contract/people";

export type KeyState = "active" | "expired" | "revoked";

/**
 * @example
 * keyState(key, Date.now()) // "active"
 */
export function keyState(key: Pick<ApiKey, "revokedAt" | "expiresAt">, now: number): KeyState {
  if (key.revokedAt !== null) return "revoked";
  return key.expiresAt !== null && key.expiresAt <= now ? "expired" : "active";
}

/** Working keys first, newest first. */
export function inListOrder(keys: readonly ApiKey[], now: number): ApiKey[] {
  const rank = (key: ApiKey) => (keyState(key, now) === "active" ? 0 : 1);
  return keys.toSorted((a, b) => rank(a) - rank(b) || b.createdAt - a.createdAt);
}
