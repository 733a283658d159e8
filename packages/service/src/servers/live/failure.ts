/** @module How a failed conversation with an MCP server is told to the API's caller. */
import { ApiError, isKeyOf } from "@fettle/contract/core";
import { redact } from "@fettle/contract/secrets";
import { tunnelDownHint } from "@fettle/contract/servers";
import {
  callCodeOf,
  classifyFailure,
  isMcpError,
  type RpcAnswer,
  type RpcLog,
  rpcAnswerOf,
} from "@fettle/mcp";

const excerptLength = 500;
/** Of an error's data, as JSON; longer ones are cut to a text. */
const mostData = 10_000;

/** What each answer says in our own words: a server's text never enters the message of a 502. */
const messages = {
  OAUTH_REQUIRED: "The MCP server asks for a credential that is not stored.",
  FORBIDDEN: "The MCP server refused the stored credential.",
  SERVER_UNREACHABLE: "The MCP server could not be reached, or what answers there is none.",
  MCP_ERROR: "The MCP server answered with an error.",
  INVALID_ANSWER: "The MCP server answered, but not as MCP asks.",
  TIMEOUT: "The MCP server did not answer in time.",
  FEATURE_NOT_SUPPORTED: "The MCP server does not offer this.",
  VALIDATION_ERROR: "The MCP server refused the arguments.",
} as const;

/** Our limit, not the protocol's. */
const tooMuch = "The MCP server answered with more than is accepted.";

type ToldCode = keyof typeof messages;

/** `seen`: what went over the wire, for a caller who asked to see it. */
export function toldFailure(
  error: unknown,
  server: { name: string },
  seen: { _rpcLogs?: RpcLog[] } = {},
): unknown {
  const refusal = refusalIn(error);
  if (refusal) {
    const { code, message, details, status, retryAfter } = refusal;
    const rest = { status, ...(retryAfter !== undefined && { retryAfter }) };
    return seen._rpcLogs ? new ApiError(code, message, { ...details, ...seen }, rest) : refusal;
  }
  // Anything else thrown is our own fault, and is said as such.
  if (!isMcpError(error)) return error;
  const cause = classifyFailure(error);
  const { code, next, retryable, evidence, summary } = cause;
  const named = callCodeOf(cause);
  const told: ToldCode = isKeyOf(messages, named) ? named : "SERVER_UNREACHABLE";
  const rpc = rpcAnswerOf(error);
  const message = code === "ANSWER_TOO_LARGE" ? tooMuch : messages[told];
  return new ApiError(told, message, {
    reason: told === "VALIDATION_ERROR" && rpc ? "REJECTED_BY_SERVER" : code,
    hint: code === "TUNNEL_DOWN" ? tunnelDownHint(server.name) : next.text,
    retryable,
    ...(evidence.status !== undefined && { status: evidence.status }),
    ...(rpc && { rpc: quoted(rpc) }),
    ...(told === "INVALID_ANSWER" && { problem: cleaned(summary) }),
    ...seen,
  });
}

/** A refusal of our own, also where connecting ran into it: no place is left for a container. */
function refusalIn(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  return isMcpError(error) ? refusalIn(error.cause) : undefined;
}

/** Our sentence on what was seen, which may quote a few words of the server. */
function cleaned(sentence: string): string {
  return (redact({ sentence }) as { sentence: string }).sentence.slice(0, excerptLength);
}

/** What the server said, without what looks like a credential, and no longer than a person reads. */
function quoted({ code, message, data }: RpcAnswer): RpcAnswer & { dataCut?: true } {
  const said = redact({ message, data }) as { message: string; data?: unknown };
  const json = said.data === undefined ? "" : JSON.stringify(said.data);
  return {
    code,
    message: said.message.slice(0, excerptLength),
    ...(json !== "" &&
      (json.length > mostData ? { data: json.slice(0, mostData), dataCut: true } : { data: said.data })),
  };
}
