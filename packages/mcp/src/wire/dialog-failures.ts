/** @module How a call of a dialog failed, said with what is known of it. Pure. */
import { McpError } from "../failure.ts";
import type { MalformedInbound, RequestId, RpcErrorBody } from "../messages/jsonrpc.ts";
import type { Origin } from "./wire.ts";
import { type WireProblem, wireProblem } from "./wire-problem.ts";

export function strangeId(id: RequestId, asked: RequestId, method: string): McpError {
  return new McpError(
    "INVALID_MESSAGE",
    wireProblem("UNKNOWN_ID", { id, ...(String(id) === String(asked) && { asked }) }).message,
    { hint: "An answer must echo the request's id, type included.", details: { method } },
  );
}

export function rpcFailure(error: RpcErrorBody, method: string | undefined, origin: Origin): McpError {
  return new McpError("RPC_ERROR", error.message, {
    details: {
      rpcCode: error.code,
      ...(error.data !== undefined && { data: error.data }),
      ...(method !== undefined && { method }),
      ...(origin.httpStatus !== undefined && { status: origin.httpStatus }),
    },
  });
}

export function resultWithStatus(method: string, status: number): McpError {
  return new McpError("INVALID_MESSAGE", wireProblem("RESULT_ON_ERROR_STATUS", method, status).message, {
    hint: "Clients stop at an error status; answer a result with 200.",
    details: { method, status },
  });
}

export function unreadable({ limit, reason, excerpt }: MalformedInbound, method: string): McpError {
  const details = { method, excerpt };
  return limit
    ? new McpError("TOO_LARGE", `The answer is more than Fettle accepts: ${reason}.`, {
        hint: "Make the server answer in smaller pieces.",
        details,
      })
    : new McpError("INVALID_MESSAGE", `The answer is not a JSON-RPC message: ${reason}.`, {
        hint: "Every message is one JSON object with jsonrpc, id, and result or error.",
        details,
      });
}

export function noAnswerWithin(method: string, phase: string, timeoutMs: number): McpError {
  return new McpError("TIMEOUT", `No answer to ${method} within ${timeoutMs} ms.`, {
    hint: "The server accepted the request and said nothing; look at its log, or allow more time.",
    details: { method, phase, timeoutMs },
  });
}

/** In which a host that is up is reached from anywhere. */
const enoughMs = 1_000;

/** A timeout with what is known: which answer was waited for, what came instead, and whether a stream was opened for it. */
export function timeoutKnowing(
  failure: McpError,
  { method, streamSilent, isConnecting }: { method: string; streamSilent: boolean; isConnecting: boolean },
  problems: WireProblem[],
): McpError {
  const [first] = problems;
  const hint = first ? `While waiting: ${first.message}` : failure.hint;
  const details = { ...failure.details, method, ...(first && { problems }) };
  const { timeoutMs } = failure.details;
  const time = typeof timeoutMs === "number" ? `${timeoutMs} ms were over` : "the time was over";
  if (isConnecting) {
    return new McpError("TIMEOUT", `Connecting to the server was not done when ${time}.`, {
      hint:
        typeof timeoutMs === "number" && timeoutMs < enoughMs
          ? `${timeoutMs} ms is little time for a connection; allow more with --timeout.`
          : "The host may be down, a firewall may drop the packets, or the port may not speak TLS.",
      details: { ...details, phase: "connect", isConnecting },
    });
  }
  if (streamSilent) {
    const message = `The event stream is open, but the answer to ${method} did not come before ${time}.`;
    return new McpError("TIMEOUT", message, {
      hint: first
        ? `While waiting: ${first.message}`
        : "The answer never came on the stream; a proxy may hold it back.",
      details: { ...details, streamSilent },
    });
  }
  // Somebody else's time may have run out; they do not know what was under way.
  const isOwn = failure.details.method !== undefined;
  return new McpError("TIMEOUT", isOwn ? failure.message : `No answer to ${method} before ${time}.`, {
    ...(hint !== undefined && { hint }),
    details,
  });
}
