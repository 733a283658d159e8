/** @module Server-sent events, read byte by byte as they come: an event is never larger than its cap, however slowly or endlessly it arrives. */
import { readServerSentEvents, type ServerSentEvent } from "@fettle/contract/formats";
import { McpError } from "../failure.ts";
import { readUtf8 } from "./utf8-text.ts";

export interface StreamEvent extends ServerSentEvent {
  /** Empty where the event carried none. */
  data: string;
  /** Present when bytes before its end were not UTF-8. */
  isUtf8?: false;
}

export interface EventStreamParser {
  /** Feeds bytes; complete events are handed to `onEvent` in order. Throws TOO_LARGE past the cap. */
  push(chunk: Uint8Array): void;
  /** How much of an event is kept that has not ended. */
  held(): number;
  /** The id to resume after. */
  lastEventId(): string | undefined;
  retryMs(): number | undefined;
}

/**
 * An incremental parser of `text/event-stream`.
 *
 * @example
 * const parser = parseEventStream(16 * 1024 * 1024, (event) => console.log(event.data));
 * for await (const chunk of response.body) parser.push(chunk);
 */
export function parseEventStream(
  maxEventBytes: number,
  onEvent: (event: StreamEvent) => void,
): EventStreamParser {
  const utf8 = readUtf8();
  let lastId: string | undefined;
  let lastRetry: number | undefined;
  const reader = readServerSentEvents(
    (event) => {
      lastId = event.id ?? lastId;
      lastRetry = event.retry ?? lastRetry;
      onEvent({ ...event, data: event.data ?? "", ...(utf8.hadBadBytes() && { isUtf8: false }) });
    },
    (length) => {
      if (length > maxEventBytes) throw tooLarge(maxEventBytes);
    },
  );
  return {
    push: (chunk) => reader.push(utf8.write(chunk)),
    held: reader.held,
    lastEventId: () => lastId,
    retryMs: () => lastRetry,
  };
}

function tooLarge(limit: number): McpError {
  return new McpError("TOO_LARGE", `One server-sent event is larger than ${limit} bytes.`, {
    hint: "The server never ends its event, or answers with more than Fettle accepts in one message.",
    details: { limit },
  });
}
