/** @module What can go wrong while speaking MCP: one error type with a stable code, the facts, and a hint to act on. */

export type FailureCode =
  | "ABORTED"
  | "AUTH_REQUIRED"
  | "BAD_OPTION"
  | "BAD_TARGET"
  | "BLOCKED_ADDRESS"
  | "CONNECTION_CLOSED"
  | "CONNECTION_REFUSED"
  | "CONNECTION_RESET"
  | "DNS_FAILED"
  | "HTTP_PROTOCOL"
  | "HTTP_STATUS"
  | "INPUT_REQUIRED"
  | "INVALID_MESSAGE"
  | "INVALID_RESULT"
  | "NETWORK"
  | "NOT_SUPPORTED"
  | "NO_ANSWER"
  | "OAUTH"
  | "PROCESS_EXITED"
  | "REDIRECT"
  | "RPC_ERROR"
  | "SESSION_EXPIRED"
  | "SPAWN_FAILED"
  | "TIMEOUT"
  | "TLS_FAILED"
  | "TOO_LARGE"
  | "VERSION_MISMATCH"
  | "WRONG_CONTENT_TYPE";

/**
 * Facts beside the message. Everything here was seen, nothing is guessed; secrets never enter. A fact with a shape of its own is
 * added where the shape is said, by `declare module`, so that this file imports nothing.
 */
export interface FailureDetails {
  /** Which wait ran out: `connect`, `first-byte`, `idle`, `total`, `probe`. */
  phase?: string;
  timeoutMs?: number;
  url?: string;
  status?: number;
  contentType?: string;
  /** The first characters of what came instead of an answer. */
  excerpt?: string;
  /** Node's or OpenSSL's own code. */
  systemCode?: string;
  /** JSON-RPC error of the server. */
  rpcCode?: number;
  data?: unknown;
  method?: string;
  exitCode?: number | null;
  signal?: string | null;
  stderr?: string;
  /** A name that nothing has, and the names there are. */
  unknown?: string;
  known?: readonly string[];
  [fact: string]: unknown;
}

/**
 * A failed connection or call.
 *
 * @example
 * try { await connection.callTool("add", { a: 1 }); }
 * catch (error) { if (isMcpError(error, "TIMEOUT")) console.error(error.hint); }
 */
export class McpError extends Error {
  readonly code: FailureCode;
  readonly hint: string | undefined;
  readonly details: FailureDetails;

  constructor(
    code: FailureCode,
    message: string,
    options: { hint?: string; details?: FailureDetails; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "McpError";
    this.code = code;
    this.hint = options.hint;
    this.details = options.details ?? {};
  }
}

export function isMcpError(error: unknown, code?: FailureCode): error is McpError {
  return error instanceof McpError && (code === undefined || error.code === code);
}

/** Whatever was thrown, as an McpError; an abort keeps the reason its caller gave. */
export function asMcpError(error: unknown, fallback: FailureCode = "NETWORK"): McpError {
  if (error instanceof McpError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const aborted = error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError");
  return new McpError(aborted ? "ABORTED" : fallback, message, { cause: error });
}

/** The same failure with what `hide` knows taken out of its words and facts: a server may repeat what it was sent. */
export function hideInFailure(error: unknown, hide: <T>(value: T) => T): unknown {
  if (!(error instanceof McpError)) return error;
  const { code, message, hint, details, cause } = error;
  const told = hide({ message, hint, details });
  if (JSON.stringify(told) === JSON.stringify({ message, hint, details })) return error;
  return new McpError(code, told.message, {
    ...(told.hint !== undefined && { hint: told.hint }),
    details: told.details,
    // The cause says the same again, in words that were not looked through.
    ...(cause instanceof Error && "code" in cause && { cause: { code: cause.code } }),
  });
}

/** The error for an aborted signal. A timeout signal is a timeout, not a cancellation. */
export function abortFailure(signal: AbortSignal): McpError {
  const reason: unknown = signal.reason;
  if (reason instanceof McpError) return reason;
  if (reason instanceof Error && reason.name === "TimeoutError") {
    return new McpError("TIMEOUT", "The whole operation ran out of time.", { details: { phase: "total" } });
  }
  return new McpError("ABORTED", "Cancelled.", { cause: reason });
}
