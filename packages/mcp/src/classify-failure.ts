/** @module From an error to a cause a person can act on: a stable code, the words, and the next step. Pure. */
import type { ErrorCode } from "@fettle/contract/core";
import { tunnelDownHint, tunnelSilentHint } from "@fettle/contract/servers";
import { asMcpError, type FailureDetails, type McpError } from "./failure.ts";
import { looksLikeMessage } from "./messages/jsonrpc.ts";

export type CauseCode =
  | "ABORTED"
  | "ACCESS_DENIED"
  | "ANSWER_TOO_LARGE"
  | "BAD_REQUEST_SETTINGS"
  | "BLOCKED_ADDRESS"
  | "COMMAND_NOT_EXECUTABLE"
  | "COMMAND_NOT_FOUND"
  | "CONNECTION_LOST"
  | "CONNECTION_REFUSED"
  | "CRASHED"
  | "CRASHED_AT_START"
  | "CREDENTIAL_PROBLEM"
  | "CREDENTIAL_REFUSED"
  | "HANGS"
  | "HOST_NOT_FOUND"
  | "HOST_UNREACHABLE"
  | "HTML_INSTEAD_OF_JSON"
  | "INPUT_REQUIRED"
  | "LINE_NOT_ENDED"
  | "METHOD_NOT_ALLOWED"
  | "NOT_FOUND"
  | "NOT_HTTP"
  | "NOT_MCP"
  | "OAUTH_REQUIRED"
  | "RATE_LIMITED"
  | "REDIRECTED"
  | "SERVER_ERROR"
  | "SERVER_REFUSES"
  | "SESSION_LOST"
  | "SSE_SILENT"
  | "STDOUT_POLLUTED"
  | "STREAM_WITHOUT_ANSWER"
  | "TLS_FAULT"
  | "TOKEN_REQUIRED"
  | "TUNNEL_DOWN"
  | "TUNNEL_SILENT"
  | "UNKNOWN"
  | "UNSUPPORTED"
  | "VERSION_MISMATCH"
  | "WRONG_CONTENT_TYPE"
  | "WRONG_ENCODING";

export interface NextStep {
  text: string;
  /** Words after `fettle`, when a command helps. */
  command?: string[];
}

export interface FailureCause {
  code: CauseCode;
  /** One sentence: what is wrong. */
  summary: string;
  next: NextStep;
  /** What was seen, free of interpretation. */
  evidence: FailureDetails;
  /** Trying again later may help, with nothing changed. */
  retryable: boolean;
  /** How the service's API names it. */
  apiCode: ErrorCode;
}

/**
 * Names the cause of a failed connection or call.
 *
 * @example
 * const cause = classifyFailure(error);
 * console.error(`${cause.summary} ${cause.next.text}`);
 */
export function classifyFailure(error: unknown): FailureCause {
  const failure = asMcpError(error);
  // Of an address that is not allowed the zone is the point; of a server that wants a token it is our own business.
  const { zone: _zone, ...evidence } = failure.details;
  return { ...causeOf(failure), evidence: failure.code === "BLOCKED_ADDRESS" ? failure.details : evidence };
}

/** What a server answered instead of a result. */
export interface RpcAnswer {
  code: number;
  message: string;
  data?: unknown;
}

/** Undefined when the server did not answer with an error of its own. */
export function rpcAnswerOf(error: unknown): RpcAnswer | undefined {
  const { code, message, details } = asMcpError(error);
  if (code !== "RPC_ERROR" || details.rpcCode === undefined) return undefined;
  return { code: details.rpcCode, message, ...(details.data !== undefined && { data: details.data }) };
}

/** How a failed call is named to whoever made it, on the API and the command line alike: refused arguments are the caller's to mend. */
export function callCodeOf(cause: FailureCause): ErrorCode {
  const isRefusal = cause.apiCode === "MCP_ERROR" && cause.evidence.rpcCode === invalidParams;
  return isRefusal ? "VALIDATION_ERROR" : cause.apiCode;
}

const invalidParams = -32602;

type Cause = Omit<FailureCause, "evidence">;

function cause(
  code: CauseCode,
  apiCode: ErrorCode,
  summary: string,
  next: string | NextStep,
  retryable = false,
): Cause {
  return { code, apiCode, summary, next: typeof next === "string" ? { text: next } : next, retryable };
}

function causeOf(failure: McpError): Cause {
  const { details, message } = failure;
  const hint = failure.hint ?? "Look at the server's log.";
  switch (failure.code) {
    case "ABORTED":
      return cause("ABORTED", "TIMEOUT", "It was cancelled.", "Run it again.", true);
    case "AUTH_REQUIRED":
      return authCause(details);
    case "BAD_OPTION":
    case "BAD_TARGET":
      return cause("BAD_REQUEST_SETTINGS", "VALIDATION_ERROR", message, hint);
    case "BLOCKED_ADDRESS":
      return cause("BLOCKED_ADDRESS", "SERVER_UNREACHABLE", message, hint);
    case "CONNECTION_CLOSED":
      return cause("CONNECTION_LOST", "SERVER_UNREACHABLE", message, hint, true);
    case "CONNECTION_REFUSED":
      return cause("CONNECTION_REFUSED", "SERVER_UNREACHABLE", message, hint, true);
    case "CONNECTION_RESET":
    case "NETWORK":
      return cause("CONNECTION_LOST", "SERVER_UNREACHABLE", message, hint, true);
    case "DNS_FAILED":
      return cause("HOST_NOT_FOUND", "SERVER_UNREACHABLE", message, hint, details.systemCode === "EAI_AGAIN");
    case "HTTP_PROTOCOL":
      return details.contentEncoding === undefined
        ? cause("NOT_HTTP", "SERVER_UNREACHABLE", message, hint)
        : cause("WRONG_ENCODING", "INVALID_ANSWER", message, hint);
    case "HTTP_STATUS":
      return statusCause(failure);
    case "INPUT_REQUIRED":
      return cause("INPUT_REQUIRED", "FEATURE_NOT_SUPPORTED", message, hint);
    case "INVALID_MESSAGE":
    case "INVALID_RESULT":
      return cause("NOT_MCP", "INVALID_ANSWER", message, hint);
    case "NO_ANSWER":
      return cause("STREAM_WITHOUT_ANSWER", "INVALID_ANSWER", message, hint);
    case "NOT_SUPPORTED":
      return cause(
        "UNSUPPORTED",
        "FEATURE_NOT_SUPPORTED",
        message,
        failure.hint ?? "Use what this protocol version offers.",
      );
    case "OAUTH":
      return cause("CREDENTIAL_PROBLEM", "FORBIDDEN", message, hint);
    case "PROCESS_EXITED":
      return exitCause(failure);
    case "REDIRECT":
      return cause("REDIRECTED", "SERVER_UNREACHABLE", message, hint);
    case "RPC_ERROR":
      return rpcCause(failure);
    case "SESSION_EXPIRED":
      // It answered, and to a session that it had just given out.
      return cause("SESSION_LOST", "INVALID_ANSWER", message, hint, true);
    case "SPAWN_FAILED":
      return cause(
        details.systemCode === "ENOENT" ? "COMMAND_NOT_FOUND" : "COMMAND_NOT_EXECUTABLE",
        "SERVER_UNREACHABLE",
        message,
        hint,
      );
    case "TIMEOUT":
      return timeoutCause(failure);
    case "TLS_FAILED":
      return cause("TLS_FAULT", "SERVER_UNREACHABLE", message, hint);
    case "TOO_LARGE":
      return cause("ANSWER_TOO_LARGE", "INVALID_ANSWER", message, hint);
    case "VERSION_MISMATCH":
      return cause("VERSION_MISMATCH", "FEATURE_NOT_SUPPORTED", message, hint);
    case "WRONG_CONTENT_TYPE":
      if (details.html) return cause("HTML_INSTEAD_OF_JSON", "SERVER_UNREACHABLE", message, hint);
      // A message under another name is a server's wrong answer; any other text is no MCP server.
      return cause(
        "WRONG_CONTENT_TYPE",
        looksLikeMessage(details.excerpt ?? "") ? "INVALID_ANSWER" : "SERVER_UNREACHABLE",
        message,
        hint,
      );
  }
}

function authCause(details: FailureDetails): Cause {
  const { challenge } = details;
  const url = details.url ?? "";
  if (details.credentialSent === true) {
    return cause("CREDENTIAL_REFUSED", "FORBIDDEN", "The server refuses the credential that was sent.", {
      text: "It may have expired, or be for another server; get a new one.",
      ...(challenge?.resourceMetadata !== undefined && { command: ["oauth", "login", "--url", url] }),
    });
  }
  if (challenge?.resourceMetadata !== undefined) {
    return cause("OAUTH_REQUIRED", "OAUTH_REQUIRED", "The server asks for an OAuth sign-in.", {
      text: "Sign in; the server says where.",
      command: ["oauth", "login", "--url", url],
    });
  }
  return cause(
    "TOKEN_REQUIRED",
    "OAUTH_REQUIRED",
    "The server asks for a credential but does not say where to get one.",
    "Pass the token or header its documentation names; a server that means OAuth should publish protected-resource metadata.",
  );
}

function statusCause(failure: McpError): Cause {
  const { details, message } = failure;
  const status = details.status ?? 0;
  const hint = failure.hint ?? "Look at the server's log.";
  if (/plain HTTP request was sent to HTTPS port/i.test(details.excerpt ?? "")) {
    return cause(
      "TLS_FAULT",
      "SERVER_UNREACHABLE",
      "The port speaks TLS, the URL does not.",
      "Use https in the URL.",
    );
  }
  if (status === 404 || status === 410) {
    return cause("NOT_FOUND", "SERVER_UNREACHABLE", `Nothing answers at this path (${status}).`, hint);
  }
  if (status === 406 || status === 415) {
    const refused = status === 406 ? "what the client accepts" : "the content type of the request";
    const summary = `The server refuses ${refused} (${status}).`;
    return cause("SERVER_REFUSES", "SERVER_UNREACHABLE", summary, hint);
  }
  if (status === 405 || status === 501) {
    return cause(
      "METHOD_NOT_ALLOWED",
      "SERVER_UNREACHABLE",
      `This path does not take MCP messages (${status}).`,
      hint,
    );
  }
  if (status === 403) {
    return cause("ACCESS_DENIED", "FORBIDDEN", "The server refuses this caller (403).", hint);
  }
  if (status === 429)
    return cause("RATE_LIMITED", "SERVER_UNREACHABLE", "The server limits the rate (429).", hint, true);
  if (status === 408 || status === 425)
    return cause("SERVER_ERROR", "SERVER_UNREACHABLE", message, hint, true);
  // Said by the tunnel's public side; whatever else says it gets these words of ours and none of its own.
  if (status === 502 && /"reason":"TUNNEL_(DOWN|CLOSED)"/.test(details.excerpt ?? "")) {
    const summary = "Nobody is connected to the tunnel to this server.";
    return cause("TUNNEL_DOWN", "SERVER_UNREACHABLE", summary, tunnelDownHint(), true);
  }
  if (status === 502 && /"reason":"TUNNEL_SILENT"/.test(details.excerpt ?? "")) {
    const summary = "The tunnel to this server is connected, but does not answer.";
    return cause("TUNNEL_SILENT", "SERVER_UNREACHABLE", summary, tunnelSilentHint, true);
  }
  if (status >= 500) {
    return cause(
      "SERVER_ERROR",
      "SERVER_UNREACHABLE",
      `The server or its gateway failed (${status}).`,
      hint,
      true,
    );
  }
  return cause("SERVER_REFUSES", "SERVER_UNREACHABLE", message, hint);
}

function exitCause(failure: McpError): Cause {
  const { details, message } = failure;
  const stderr = details.stderr ?? "";
  const lastOutputLines = tellingLine(stderr);
  const next =
    stderr === ""
      ? "Run the command by hand; it said nothing on stderr."
      : `On stderr it said: ${lastOutputLines}`;
  const started = details.afterConnect === true;
  return cause(started ? "CRASHED" : "CRASHED_AT_START", "SERVER_UNREACHABLE", message, next);
}

/** Where a stack trace was printed, the line above it says what happened. */
function tellingLine(stderr: string): string {
  const lines = stderr
    .trim()
    .split("\n")
    .filter((line) => line.trim() !== "" && !/^\s+at /.test(line));
  const named = lines.findLast((line) => /\b\w*(error|exception)\b|cannot|not found|failed/i.test(line));
  return (named ?? lines.at(-1) ?? "").trim();
}

function rpcCause(failure: McpError): Cause {
  const { rpcCode, method } = failure.details;
  const summary = `The server answered ${method ?? "the request"} with error ${rpcCode}: ${failure.message}`;
  if (rpcCode === -32601) {
    return cause("UNSUPPORTED", "FEATURE_NOT_SUPPORTED", summary, "The server does not offer this method.");
  }
  // Drafts of 2026-07-28 used other numbers for its three new errors.
  const draft: Record<number, string> = { [-32001]: "-32020", [-32003]: "-32021", [-32004]: "-32022" };
  const final = rpcCode === undefined ? undefined : draft[rpcCode];
  return cause(
    "SERVER_REFUSES",
    "MCP_ERROR",
    summary,
    final === undefined
      ? refusalHint(rpcCode, method)
      : `If the server follows a draft of 2026-07-28, this code became ${final}; update its SDK.`,
  );
}

/** Only some methods take arguments that a caller could mend. */
const argumentMethods: ReadonlySet<unknown> = new Set([
  "tools/call",
  "prompts/get",
  "resources/read",
  "completion/complete",
]);

function refusalHint(rpcCode: number | undefined, method: string | undefined): string {
  if (rpcCode === -32603) return "Something in the server or behind it is out of order; look at its log.";
  return argumentMethods.has(method)
    ? "Check the arguments; the error's data may say more."
    : "Look at the server's log; the error's data may say more.";
}

function timeoutCause(failure: McpError): Cause {
  const { details, message } = failure;
  const phase = details.phase;
  if (phase === "endpoint-event" || details.streamSilent === true) {
    return cause("SSE_SILENT", "TIMEOUT", message, failure.hint ?? "Turn off buffering in the proxy.", true);
  }
  if (phase === "connect" && (details.systemCode !== undefined || details.isConnecting === true)) {
    return cause(
      "HOST_UNREACHABLE",
      "TIMEOUT",
      message,
      failure.hint ?? "Check the host and firewalls.",
      true,
    );
  }
  const problems = details.problems ?? [];
  const strange = problems.find((problem) => problem.code === "UNKNOWN_ID");
  if (strange) {
    const next = "An answer must carry the id of its request, type included.";
    return cause("NOT_MCP", "INVALID_ANSWER", strange.message, next);
  }
  const unended = problems.find((problem) => problem.code === "LINE_NOT_ENDED");
  if (unended) {
    return cause(
      "LINE_NOT_ENDED",
      "INVALID_ANSWER",
      `The server wrote a message and did not end its line: ${unended.excerpt ?? ""}`,
      "End every message with a newline, and flush stdout after it.",
    );
  }
  const misplaced = problems.find(
    ({ code }) => code === "MESSAGE_ON_STDERR" || code === "CONTENT_LENGTH_TOO_LONG",
  );
  if (misplaced) {
    // On stdout nothing came at all; over HTTP there was an answer, and it is wrong.
    const apiCode = misplaced.code === "MESSAGE_ON_STDERR" ? "TIMEOUT" : "INVALID_ANSWER";
    return cause("NOT_MCP", apiCode, misplaced.message, "Look at how the server writes its answers.");
  }
  const garbage = problems.find((problem) => problem.code === "MALFORMED");
  if (garbage) {
    return cause(
      "STDOUT_POLLUTED",
      "TIMEOUT",
      `Instead of an answer came: ${garbage.excerpt ?? garbage.message}`,
      "Only JSON-RPC may be written to stdout; send logs to stderr.",
    );
  }
  return cause(
    "HANGS",
    "TIMEOUT",
    message,
    failure.hint ?? "Look at the server's log, or allow more time.",
    true,
  );
}
