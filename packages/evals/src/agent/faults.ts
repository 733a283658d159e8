/**
 * @module Whose fault it is when a call gives no answer. What lies between us and a server or a model proves nothing about
 * either, so whatever may be an outage counts as one.
 */
import { type CauseCode, classifyFailure, isMcpError } from "@fettle/mcp";
import { ModelError, type ModelErrorCode } from "../models/model.ts";
import { sentences } from "../told.ts";
import { lastOutputLines } from "./last-output.ts";
import type { ToolConnection } from "./servers.ts";
import type { Fault, FaultOwner, StopCause } from "./trace.ts";

export type FaultFacts = Pick<Fault, "owner" | "code" | "message" | "status" | "rpcCode">;

/** Everything that an outage, a proxy or an expired sign-in can look like; what is left is the server's own answer. */
const infrastructureCauses = new Set<CauseCode>([
  "ABORTED",
  "ACCESS_DENIED",
  "BLOCKED_ADDRESS",
  "COMMAND_NOT_EXECUTABLE",
  "COMMAND_NOT_FOUND",
  "CONNECTION_LOST",
  "CONNECTION_REFUSED",
  "CRASHED",
  "CRASHED_AT_START",
  "CREDENTIAL_PROBLEM",
  "CREDENTIAL_REFUSED",
  "HOST_NOT_FOUND",
  "HOST_UNREACHABLE",
  "HTML_INSTEAD_OF_JSON",
  "NOT_FOUND",
  "NOT_HTTP",
  "OAUTH_REQUIRED",
  "RATE_LIMITED",
  "REDIRECTED",
  // An HTTP status without a JSON-RPC answer: a proxy says 500 as well as 502.
  "SERVER_ERROR",
  "SESSION_LOST",
  "SSE_SILENT",
  "STREAM_WITHOUT_ANSWER",
  "TLS_FAULT",
  "TOKEN_REQUIRED",
  "TUNNEL_DOWN",
  "TUNNEL_SILENT",
]);

/** Our own client's doing or its limits, not the server's. */
const ownCauses = new Set<CauseCode>(["ANSWER_TOO_LARGE", "BAD_REQUEST_SETTINGS", "INPUT_REQUIRED"]);

const aliveMs = 3_000;

/** A failed tool call. A server that went silent is asked whether it still lives, which tells a slow tool from an outage. */
export async function callFault(error: unknown, connection: ToolConnection): Promise<FaultFacts> {
  if (!isMcpError(error)) {
    return { owner: "ours", code: "INTERNAL_ERROR", message: String((error as Error)?.message ?? error) };
  }
  const cause = classifyFailure(error);
  const { code, summary } = cause;
  const { status, rpcCode } = cause.evidence;
  return {
    owner: await ownerOf(code, connection),
    code,
    message: sentences(
      summary,
      lastOutputLines(cause, (text) => connection.recorder.hide(text)),
    ),
    ...(status !== undefined && { status }),
    ...(rpcCode !== undefined && { rpcCode }),
  };
}

async function ownerOf(code: CauseCode, connection: ToolConnection): Promise<FaultOwner> {
  if (ownCauses.has(code)) return "ours";
  if (connection.closedBecause || infrastructureCauses.has(code)) return "infrastructure";
  if (code === "HANGS" || code === "UNKNOWN")
    return (await isAlive(connection)) ? "server" : "infrastructure";
  return "server";
}

async function isAlive(connection: ToolConnection): Promise<boolean> {
  try {
    await connection.ping({ timeouts: { idleMs: aliveMs, totalMs: aliveMs } });
    return true;
  } catch (error) {
    // A server that does not know `ping` has answered all the same.
    return isMcpError(error, "RPC_ERROR");
  }
}

interface ModelFault {
  owner: FaultOwner;
  stop: StopCause;
}

const modelFaults: Record<ModelErrorCode, ModelFault> = {
  MODEL_AMBIGUOUS: { owner: "ours", stop: "model_error" },
  MODEL_ANSWER_INVALID: { owner: "infrastructure", stop: "model_error" },
  MODEL_CANCELLED: { owner: "ours", stop: "cancelled" },
  MODEL_CONFIGURATION_INVALID: { owner: "ours", stop: "model_error" },
  MODEL_CONNECTION: { owner: "infrastructure", stop: "model_error" },
  MODEL_KEY_REFUSED: { owner: "ours", stop: "model_error" },
  MODEL_NOT_FOUND: { owner: "ours", stop: "model_error" },
  MODEL_PRICE_UNKNOWN: { owner: "ours", stop: "spend_limit" },
  MODEL_PROVIDER_ERROR: { owner: "infrastructure", stop: "model_error" },
  MODEL_QUOTA_EXHAUSTED: { owner: "infrastructure", stop: "model_error" },
  MODEL_RATE_LIMITED: { owner: "infrastructure", stop: "model_error" },
  MODEL_REQUEST_REFUSED: { owner: "ours", stop: "model_error" },
  MODEL_SPEND_LIMIT: { owner: "ours", stop: "spend_limit" },
  MODEL_TIMEOUT: { owner: "infrastructure", stop: "model_error" },
  MODEL_UNAVAILABLE: { owner: "ours", stop: "model_error" },
  // The service that asks for an answer cannot: its database, for one.
  SERVICE_UNAVAILABLE: { owner: "infrastructure", stop: "model_error" },
  TOOL_POLICY_INVALID: { owner: "ours", stop: "internal_error" },
  CASSETTE_INVALID: { owner: "ours", stop: "cassette_miss" },
  CASSETTE_MISS: { owner: "ours", stop: "cassette_miss" },
  CASSETTE_STALE: { owner: "ours", stop: "cassette_stale" },
};

/** A model that gave no answer, or a turn that broke off: never the model's own fault, which is always something that it said. */
export function modelFault(error: unknown): FaultFacts & { stop: StopCause } {
  if (!(error instanceof ModelError)) {
    const message = String((error as Error)?.message ?? error);
    return { owner: "ours", stop: "internal_error", code: "INTERNAL_ERROR", message };
  }
  const { code, status, hint } = error;
  // A trace has one text for a fault, and what to do about it is the half that people look for.
  const message = sentences(error.message, hint);
  return { ...modelFaults[code], code, message, ...(status !== undefined && { status }) };
}
