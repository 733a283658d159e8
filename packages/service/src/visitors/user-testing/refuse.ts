/** @module Says no to a visitor, in words a stranger can read. */
import { ApiError, type ErrorCode } from "@fettle/contract/core";
import { type VisitRefusal, visitRefusals } from "@fettle/contract/visitors";

/**
 * @example
 * throw turnedAway("UNAUTHORIZED", "ACCESS_ENDED");
 */
export function turnedAway(
  kind: ErrorCode,
  code: VisitRefusal,
  details: Record<string, unknown> = {},
  retryAfterSeconds?: number,
): ApiError {
  return new ApiError(kind, `${visitRefusals[code]}.`, { code, ...details }, retryAfterSeconds);
}
