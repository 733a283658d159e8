/** @module Says no to a turn, in the contract's words. */
import { ApiError, type ErrorCode } from "@fettle/contract/core";
import { type TurnRefusal, turnRefusals } from "@fettle/contract/visitors";

/**
 * @example
 * throw refused("CONFLICT", "TURN_IN_PROGRESS", { retryAfterMs });
 */
export function refused(
  kind: ErrorCode,
  code: TurnRefusal,
  details: Record<string, unknown> = {},
  message = `${turnRefusals[code]}.`,
): ApiError {
  const { retryAfterMs } = details;
  const wait = typeof retryAfterMs === "number" ? Math.max(1, Math.ceil(retryAfterMs / 1000)) : undefined;
  return new ApiError(kind, message, { code, ...details }, wait);
}
