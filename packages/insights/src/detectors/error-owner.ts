/** @module Which detector tells of a failed call: the most specific, so that a problem is told once. Pure. */
import type { ErrorClass } from "../errors/error-class.ts";
import type { CallFacts, UnitFacts } from "../facts/unit-facts.ts";

const byClass: Partial<Record<ErrorClass, string>> = {
  auth: "auth_interrupted",
  rate_limited: "rate_limited",
  timeout: "timeout_recurring",
  connection: "connection_lost",
};

/** A test that makes a call itself and passes meant what came of it. */
const isMeant = (call: CallFacts, unit: UnitFacts) => call.isPinned && unit.verdict === "passed";

export function ownerOf(call: CallFacts, unit: UnitFacts): string | null {
  if (call.end !== "error" || call.errorClass === null || isMeant(call, unit)) return null;
  if (!call.isKnown) return "hallucinated_tool";
  const own = byClass[call.errorClass];
  if (own !== undefined) return own;
  if (call.argsValid === false) return "schema_invalid_args";
  if (call.errorClass === "invalid_params" && call.argsValid === true) return "server_rejects_valid_args";
  if (call.errorClass === "opaque" && call.isRetriedOrLeft) return "opaque_errors";
  return "tool_errors";
}
