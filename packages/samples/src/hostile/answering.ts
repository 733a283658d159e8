/**
 * From a line or a body to an answer: hostile where the server is, honest otherwise.
 * @module
 */
import { honestMessage } from "./honest.ts";
import type { Answer, Misbehaviour, RpcRequest } from "./hostile-server.ts";

/** Notifications, answers and what is not JSON-RPC are nothing to answer. */
export function parseRequest(text: string): RpcRequest | undefined {
  try {
    const { id, method, params } = JSON.parse(text);
    return id === undefined || typeof method !== "string" ? undefined : { id, method, params: params ?? {} };
  } catch {
    return undefined;
  }
}

export function answerTo(request: RpcRequest, behaviour: Misbehaviour): Answer {
  return behaviour.answer?.(request) ?? { kind: "message", message: honestMessage(request) };
}
