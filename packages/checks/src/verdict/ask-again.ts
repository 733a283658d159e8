/** @module What failed once inside a server, or on the way to it, is asked for once more before anybody is judged by it. */
import { isMcpError } from "@fettle/mcp";

/** The server says that something in it or behind it is out of order. */
export const internalError = -32603;

const cutOff: ReadonlySet<string> = new Set(["CONNECTION_CLOSED", "CONNECTION_RESET", "NETWORK"]);

/** Only for what may be asked twice without harm, as a list. The second answer stands, whatever it is. */
export async function askAgain<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!mayPass(error)) throw error;
    return ask();
  }
}

function mayPass(error: unknown): boolean {
  if (!isMcpError(error)) return false;
  const { code, details } = error;
  return (
    cutOff.has(code) ||
    (code === "RPC_ERROR" && details.rpcCode === internalError) ||
    (code === "HTTP_STATUS" && (details.status ?? 0) >= 500)
  );
}
