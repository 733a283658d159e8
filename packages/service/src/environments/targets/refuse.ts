/** @module Says no to a change of a suite or to a launch, in the contract's words. */
import { ApiError } from "@fettle/contract/core";
import { type EvalRefusal, evalRefusals } from "@fettle/contract/evals";

/**
 * Both keys carry the name, because clients of either habit look for it.
 *
 * @example
 * throw refused("VALIDATION_ERROR", "UNKNOWN_SERVERS", "There is no server called x here.", { path: "body.serverIds" });
 */
export function refused(
  kind: "VALIDATION_ERROR" | "CONFLICT" | "NOT_FOUND",
  code: EvalRefusal,
  message = `${evalRefusals[code]}.`,
  details: Record<string, unknown> = {},
): ApiError {
  return new ApiError(kind, message, { code, reason: code, ...details });
}
