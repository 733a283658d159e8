/** @module Faults of the wire itself: how messages are packed, marked and numbered, and what comes unasked. */
import { isObject, type JsonObject } from "@fettle/mcp";
import { asks, inResultOf, type MessageFault, type Mutation } from "./mutation.ts";

const json = { "content-type": "application/json" };

/** Answers a ping with exactly this. */
function pingWith(write: (message: string) => string | Uint8Array): Mutation["answer"] {
  return (request) => {
    if (!asks(request, "ping")) return undefined;
    const message = { jsonrpc: "2.0", id: request.body?.id, result: { _meta: { note: "é" } } };
    return { status: 200, headers: json, body: write(JSON.stringify(message)) };
  };
}

/** Says something before the answer to this method. */
export function saying(method: string, extra: JsonObject): MessageFault {
  return (message, request) =>
    asks(request, method) && "id" in message ? [{ jsonrpc: "2.0", ...extra }, message] : message;
}

const logging = saying("ping", {
  method: "notifications/message",
  params: { level: "info", data: "Hello." },
});

export const wireMutations: Mutation[] = [
  {
    name: "an answer comes in an array",
    revision: "2025-11-25",
    apart: true,
    answer: pingWith((message) => `[${message}]`),
    fails: ["messages-not-batched"],
  },
  {
    name: "an answer begins with a byte order mark",
    revision: "2025-11-25",
    apart: true,
    answer: pingWith((message) => `\uFEFF${message}`),
    fails: ["messages-without-byte-order-mark"],
  },
  {
    name: "an answer is not UTF-8",
    revision: "2025-11-25",
    apart: true,
    answer: pingWith((message) => Buffer.from(message, "latin1")),
    fails: ["messages-utf8"],
  },
  {
    name: "a request is answered twice",
    revision: "2025-11-25",
    message: (message, request) => (asks(request, "ping") ? [message, message] : message),
    fails: ["answers-once"],
  },
  {
    name: "an answer comes that nobody asked for",
    revision: "2025-11-25",
    message: saying("ping", { id: 987_654, result: {} }),
    fails: ["error-id-echo"],
  },
  {
    name: "logs come from a server that declares none",
    revision: "2025-11-25",
    message(message, request) {
      if (asks(request, "initialize") && isObject(message.result)) {
        delete (message.result.capabilities as JsonObject).logging;
      }
      return logging(message, request);
    },
    fails: ["logging-declared"],
    silences: ["logging-invalid-level"],
  },
  {
    name: "progress comes for a token that nobody gave",
    revision: "2025-11-25",
    message: saying("ping", {
      method: "notifications/progress",
      params: { progressToken: "made-up", progress: 1 },
    }),
    fails: ["progress-token-known"],
  },
  {
    name: "the client is asked what it does not offer",
    revision: "2025-11-25",
    apart: true,
    message: (message, request) =>
      saying("ping", { id: `ask-${request.body?.id}`, method: "shell/run", params: {} })(message, request),
    fails: ["client-capabilities-respected"],
  },
  {
    name: "a result is of a type that nobody knows",
    revision: "2026-07-28",
    message: inResultOf("prompts/list", (result) => {
      result.resultType = "surprise";
    }),
    fails: ["result-type-known"],
  },
];
