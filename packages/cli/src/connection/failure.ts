/** @module From a failed connection or call to what the person is told: code, cause, evidence, and the next step. */
import { exitCodes } from "@fettle/contract/core";
import { asMcpError, callCodeOf, classifyFailure, isMcpError, rpcAnswerOf } from "@fettle/mcp";
import { CliError, retold, usageError } from "../cli-error.ts";
import { shellWords } from "../output/shell-words.ts";
import { unknownName } from "../program/near-names.ts";

/** What the wire threw, as the command's own error; anything else passes unchanged. */
export function asCliError(error: unknown): unknown {
  if (!isMcpError(error)) return error;
  const cause = classifyFailure(error);
  if (cause.apiCode === "VALIDATION_ERROR") return asUsageError(error);
  // The server answered, and said no: it is not unreachable.
  const rpc = rpcAnswerOf(error);
  const { rpcCode: _code, data: _data, ...evidence } = cause.evidence;
  const code = error.code === "INPUT_REQUIRED" ? "OPERATIONAL_ERROR" : callCodeOf(cause);
  return new CliError(code, cause.summary, {
    details: rpc ? { cause: cause.code, ...evidence, rpc } : { cause: cause.code, ...cause.evidence },
    hint: cause.next.text,
    ...(cause.next.command && { nextCommand: shellWords(["fettle", ...cause.next.command]) }),
    cause: error,
  });
}

/** A target or an option that cannot be right is the caller's to mend. */
export function asUsageError(error: unknown): unknown {
  if (!isMcpError(error)) return error;
  const { message, hint, details } = error;
  const { unknown, known } = details;
  return usageError(message, {
    cause: error,
    ...(hint !== undefined && { hint }),
    ...(unknown !== undefined && known && unknownName(unknown, known, hint)),
  });
}

/** May it be over in a moment? Refused, reset, unresolved, overloaded; not a time-out, which was already a wait. */
export function isPassing(error: unknown): boolean {
  if (!isMcpError(error)) return false;
  const { code, details } = asMcpError(error);
  if (code === "HTTP_STATUS") {
    const status = details.status ?? 0;
    return [408, 425, 429].includes(status) || (status >= 500 && status !== 501);
  }
  return ["CONNECTION_REFUSED", "CONNECTION_RESET", "CONNECTION_CLOSED", "DNS_FAILED", "NETWORK"].includes(
    code,
  );
}

/** For a command whose failure is a verdict: whatever hindered it, nothing was learned, and that is no verdict. */
export function asUntold(error: unknown): unknown {
  if (!(error instanceof CliError) || error.exitCode !== exitCodes.failed) return error;
  return retold(error, { exitCode: exitCodes.incomplete });
}
