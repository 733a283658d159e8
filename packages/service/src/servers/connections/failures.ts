/** @module How a failed conversation with a server is told on a connection request. Pure. */
import type { ConnectionError, ConnectionErrorCode } from "@fettle/contract/servers";
import { asMcpError, classifyFailure } from "@fettle/mcp";

/** `isTransient`: nothing is wrong with the request, so it stays where it is and is tried again. */
export interface ConnectionFailure {
  isTransient: boolean;
  error: ConnectionError;
}

const longestMessage = 400;

export function connectionError(
  code: ConnectionErrorCode,
  message: string,
  retryable = false,
): ConnectionError {
  return { code, message: message.slice(0, longestMessage), retryable };
}

/** While nothing is known of the server but its address. */
export function discoveryFailure(thrown: unknown): ConnectionFailure {
  const { summary, retryable, code } = classifyFailure(thrown);
  if (code === "BLOCKED_ADDRESS" || code === "BAD_REQUEST_SETTINGS") return final("URL_NOT_ALLOWED", summary);
  if (retryable) return transient(summary);
  if (code === "ACCESS_DENIED") return final("AUTHENTICATION_FAILED", summary);
  return final("NOT_AN_MCP_SERVER", summary);
}

/** When the server asks for a token and the way to one cannot be found. */
export function planFailure(thrown: unknown): ConnectionFailure {
  const { details, message } = asMcpError(thrown);
  return details.unreachable === true ? transient(message) : final("UNSUPPORTED_AUTH_METHOD", message);
}

/** With everything in hand that was asked for. */
export function validationFailure(thrown: unknown): ConnectionFailure {
  const { summary, retryable, code, apiCode } = classifyFailure(thrown);
  if (code === "BLOCKED_ADDRESS") return final("URL_NOT_ALLOWED", summary);
  if (retryable) return transient(summary);
  const isCredential =
    apiCode === "OAUTH_REQUIRED" || apiCode === "FORBIDDEN" || code === "CREDENTIAL_PROBLEM";
  return isCredential
    ? { isTransient: false, error: connectionError("AUTHENTICATION_FAILED", summary, true) }
    : final("PROTOCOL_VALIDATION_FAILED", summary);
}

function final(code: ConnectionErrorCode, message: string): ConnectionFailure {
  return { isTransient: false, error: connectionError(code, message) };
}

function transient(message: string): ConnectionFailure {
  return { isTransient: true, error: connectionError("VALIDATION_FAILED", message, true) };
}
