/** @module How a failed conversation with an MCP server is told to the API's caller. */
import { ApiError, redactText, tunnelDownHint } from "@fettle/contract";
import { asMcpError, classifyFailure, isMcpError, type RpcLog } from "@fettle/mcp";

const invalidParams = -32602;
const excerptLength = 500;

/** What each answer says in our own words: a server's text never enters the message of a 502. */
const messages = {
  OAUTH_REQUIRED: "The MCP server asks for a credential that is not stored.",
  FORBIDDEN: "The MCP server refused the stored credential.",
  SERVER_UNREACHABLE: "The MCP server could not be reached or did not answer as one.",
  TIMEOUT: "The MCP server did not answer in time.",
  FEATURE_NOT_SUPPORTED: "The MCP server does not offer this.",
  VALIDATION_ERROR: "The MCP server refused the arguments.",
} as const;

type ToldCode = keyof typeof messages;

/** `seen`: what went over the wire, for a caller who asked to see it. */
export function toldFailure(
  error: unknown,
  server: { name: string },
  seen: { _rpcLogs?: RpcLog[] } = {},
): unknown {
  if (error instanceof ApiError) {
    const { code, message, details, status } = error;
    return seen._rpcLogs ? new ApiError(code, message, { ...details, ...seen }, { status }) : error;
  }
  // Anything else thrown is our own fault, and is said as such.
  if (!isMcpError(error)) return error;
  const failure = asMcpError(error);
  const { code, apiCode, next, retryable, evidence } = classifyFailure(failure);
  const rejected = failure.code === "RPC_ERROR" && evidence.rpcCode === invalidParams;
  const told: ToldCode = rejected
    ? "VALIDATION_ERROR"
    : apiCode in messages
      ? (apiCode as ToldCode)
      : "SERVER_UNREACHABLE";
  return new ApiError(told, messages[told], {
    reason: rejected ? "REJECTED_BY_SERVER" : code,
    hint: code === "TUNNEL_DOWN" ? tunnelDownHint(server.name) : next.text,
    retryable,
    ...(evidence.status !== undefined && { status: evidence.status }),
    ...(evidence.rpcCode !== undefined && {
      rpcCode: evidence.rpcCode,
      serverMessage: redactText(failure.message).slice(0, excerptLength),
    }),
    ...seen,
  });
}
