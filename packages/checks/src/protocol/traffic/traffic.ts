/** @module Readings of a run's traffic, message by message. Pure. */
import type { Inbound, JsonObject } from "@fettle/mcp";
import { type Exchange, shown } from "../conversation/exchange.ts";

export type Notification = Extract<Inbound, { kind: "notification" }>;
type ServerRequest = Extract<Inbound, { kind: "request" }>;

export function isNotification(message: Inbound): message is Notification {
  return message.kind === "notification";
}

export function isRequest(message: Inbound): message is ServerRequest {
  return message.kind === "request";
}

export const isNotificationOf =
  (method: string) =>
  (message: Inbound): message is Notification =>
    message.kind === "notification" && message.method === method;

/** Messages with the session they came in. One that two exchanges waited for is one message. */
export function inSessions<T extends Inbound>(
  exchanges: readonly Exchange[],
  isOne: (message: Inbound) => message is T,
): { session: string | undefined; message: T }[] {
  const found = new Map<Inbound, { session: string | undefined; message: T }>();
  for (const { session, heard } of exchanges) {
    for (const message of heard) if (isOne(message)) found.set(message, { session, message });
  }
  return [...found.values()];
}

/** Messages as evidence. */
export function told(messages: readonly unknown[]): JsonObject {
  return messages.length === 0 ? {} : { evidence: messages.slice(0, 5).map(shown) };
}
