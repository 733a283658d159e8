/** @module What each error code means, in a sentence: for the OpenAPI document and the API reference. */
import type { ErrorCode } from "../core/errors.ts";

export const errorMeanings: Record<ErrorCode, string> = {
  UNAUTHORIZED: "The credential is missing, wrong, revoked or orphaned, or a guest may not call this.",
  OAUTH_REQUIRED: "The target MCP server wants an OAuth grant; the credential itself is fine.",
  FORBIDDEN:
    "The caller is known, but the role is too low or the target server refused its stored credentials.",
  NOT_FOUND: "There is no such thing, or the caller may not see it.",
  CONFLICT:
    "Something changed since the caller last read it, a name is taken, or the state does not allow this.",
  VALIDATION_ERROR: "The input is malformed; `details.issues` names the fields.",
  FEATURE_NOT_SUPPORTED: "The target lacks this MCP capability, or this deployment lacks the feature.",
  RATE_LIMITED: "Too many calls, too much at once, or a budget is used up; wait as `Retry-After` says.",
  SERVER_UNREACHABLE: "The target MCP server cannot be reached, or what answers there is none.",
  MCP_ERROR:
    "The target MCP server answered with a JSON-RPC error; `details.rpc` has its code, message and data.",
  INVALID_ANSWER:
    "The target MCP server answered, but not as MCP asks, or with more than is accepted; `details.problem` says what was seen.",
  TIMEOUT: "The target connected but did not answer in time.",
  INTERNAL_ERROR: "A failure on the service's side.",
  UNAVAILABLE:
    "The service is starting, or its database or disk is out of order; wait as `Retry-After` says. `details.reason` tells which.",
};
