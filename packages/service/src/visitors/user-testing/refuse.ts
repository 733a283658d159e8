/** @module Says no to a visitor, in words a stranger can read. */
import { ApiError, type ErrorCode } from "@fettle/contract/core";
import { type VisitRefusal, visitRefusals } from "@fettle/contract/visitors";

/** Of what is not there: what to do instead. */
const hints: { [Code in VisitRefusal]?: string } = {
  LINK_INVALID: "Ask whoever gave you the link for a new one.",
  NO_WIDGET: "Reload the page.",
};

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
  const hint = hints[code];
  const told = { code, ...(hint !== undefined && { hint }), ...details };
  return new ApiError(kind, `${visitRefusals[code]}.`, told, retryAfterSeconds);
}
