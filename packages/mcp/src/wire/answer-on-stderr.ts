/** @module An answer that was written to stderr, where no client reads it. Logs may repeat messages, so only one that is missing on stdout counts. Pure. */
import { classify, excerptOf, type RequestId } from "../messages/jsonrpc.ts";
import { type WireProblem, wireProblem } from "./wire-problem.ts";

/** `waiting`: the requests that have no answer. */
export function answerOnStderr(
  stderr: string,
  waiting: readonly { id: RequestId; method: string }[],
): WireProblem | undefined {
  for (const line of stderr.split("\n")) {
    if (!line.startsWith("{") || !line.includes('"jsonrpc"')) continue;
    const message = readLine(line);
    if (message?.kind !== "result" && message?.kind !== "error") continue;
    const asked = waiting.find(({ id }) => id === message.id);
    if (asked) return { ...wireProblem("MESSAGE_ON_STDERR", asked.method), excerpt: excerptOf(line) };
  }
  return undefined;
}

function readLine(line: string) {
  try {
    return classify(JSON.parse(line));
  } catch {
    return undefined;
  }
}
