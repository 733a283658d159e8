/** @module A server that goes away in the middle of a run: what was met after that is its absence, and no verdict. */
import {
  asMcpError,
  type ConnectOptions,
  connect,
  isMcpError,
  type McpError,
  type Target,
} from "@fettle/mcp";
import type { CheckResult } from "./check-result.ts";

/** Nobody said anything, so nobody said anything wrong. */
export const outageCodes: ReadonlySet<string> = new Set([
  "ABORTED",
  "CONNECTION_CLOSED",
  "CONNECTION_REFUSED",
  "CONNECTION_RESET",
  "DNS_FAILED",
  "NETWORK",
  "TIMEOUT",
  "TLS_FAILED",
]);

/** Answers of whoever stands before a server that is not there. */
const gatewayStatuses = new Set([502, 503, 504]);

/** Did nobody answer this? Then somebody should look whether the server is still there. */
export function isSilence(error: unknown): boolean {
  return (
    (isMcpError(error) && (outageCodes.has(error.code) || error.code === "PROCESS_EXITED")) ||
    (error instanceof DOMException && error.name === "TimeoutError")
  );
}

/** Looks for the server once more, as a client would: the reason when it is gone, undefined when it answers, whatever it says. */
export async function goneServer(target: Target, options: ConnectOptions): Promise<McpError | undefined> {
  try {
    const connection = await connect(target, options);
    await connection.close();
    return undefined;
  } catch (error) {
    const failure = asMcpError(error);
    const isGone =
      outageCodes.has(failure.code) ||
      failure.code === "SPAWN_FAILED" ||
      (failure.code === "HTTP_STATUS" && gatewayStatuses.has(failure.details.status ?? 0));
    return isGone ? failure : undefined;
  }
}

/** What failed or could not run once the server had begun to be silent was not the server's doing. */
export function withoutServer(result: CheckResult, gone: McpError): CheckResult {
  if (result.status === "passed" || result.skipReason === "not-applicable") return result;
  const { warnings: _unproven, ...rest } = result;
  const message = `The server stopped answering during the run: ${gone.message}`;
  return { ...rest, status: "skipped", skipReason: "could-not-run", isOutage: true, error: { message } };
}
