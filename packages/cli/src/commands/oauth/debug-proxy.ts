/** @module `fettle oauth debug-proxy`: the same request, with the time it took, the address that answered, and the events of a stream. */

import type { Outcome } from "../../output/printer.ts";
import { answerText } from "./answer-text.ts";
import { type ProxyCall, proxied } from "./proxied-request.ts";

export async function run(call: ProxyCall): Promise<Outcome> {
  const { answer, shown } = await proxied(call);
  const { durationMs, address, events, messages } = answer;
  const reply = messages.find(({ kind }) => kind === "result" || kind === "error");
  const isStream = answer.mediaType === "text/event-stream";
  const value = {
    ...shown,
    durationMs,
    resolvedAddress: address,
    ...(isStream && { transport: "sse" as const, events }),
    ...(reply && { mcpResponse: reply.message }),
  };
  return {
    value,
    human: () =>
      answerText(shown, [
        ["Address", address],
        ["Time", `${durationMs} ms`],
      ]),
  };
}
