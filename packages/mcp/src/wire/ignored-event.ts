/** @module Events that clients leave unread: server-sent events have a type, and a message is read only from those of the type `message`. */
import type { WireLimits } from "../limits.ts";
import type { StreamEvent } from "../messages/event-stream.ts";
import { excerptOf, readMessagesInTurn } from "../messages/jsonrpc.ts";
import type { WireListener } from "./wire.ts";
import { wireProblem } from "./wire-problem.ts";

/** Tells of an event that holds a message nobody will read; others are a server's own business. */
export async function noticeIgnored(
  listener: Pick<WireListener, "noticed">,
  { event, data }: StreamEvent,
  limits: WireLimits,
): Promise<void> {
  const messages = await readMessagesInTurn(data, limits);
  if (messages.every(({ kind }) => kind === "malformed")) return;
  listener.noticed?.({ ...wireProblem("EVENT_IGNORED", event), excerpt: excerptOf(data) });
}
