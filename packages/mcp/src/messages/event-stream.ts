/** @module Server-sent events, read byte by byte as they come: an event is never larger than its cap, however slowly or endlessly it arrives. */
import { McpError } from "../failure.ts";
import { readUtf8 } from "./utf8-text.ts";

export interface StreamEvent {
  /** Event type; `message` unless the server named one. */
  event: string;
  data: string;
  /** The id this event set, if it set one. */
  id?: string;
  retry?: number;
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
  let pieces: string[] = [];
  let eventLength = 0;
  let data: string[] = [];
  let type = "";
  let id: string | undefined;
  let retry: number | undefined;
  let hasFields = false;
  let lastId: string | undefined;
  let lastRetry: number | undefined;
  let skipLineFeed = false;
  let first = true;

  function endLine(line: string): void {
    if (line === "") {
      endEvent();
      return;
    }
    if (line.startsWith(":")) return;
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    let value = colon === -1 ? "" : line.slice(colon + 1);
    if (value.startsWith(" ")) value = value.slice(1);
    if (field === "data") data.push(value);
    else if (field === "event") type = value;
    else if (field === "id" && !value.includes("\0")) id = value;
    else if (field === "retry" && /^\d{1,9}$/.test(value)) retry = Number(value);
    else return;
    hasFields = true;
  }

  function endEvent(): void {
    eventLength = 0;
    if (!hasFields) return;
    if (id !== undefined) lastId = id;
    if (retry !== undefined) lastRetry = retry;
    const event: StreamEvent = {
      event: type || "message",
      data: data.join("\n"),
      ...(id !== undefined && { id }),
      ...(retry !== undefined && { retry }),
      ...(utf8.hadBadBytes() && { isUtf8: false as const }),
    };
    data = [];
    type = "";
    id = undefined;
    retry = undefined;
    hasFields = false;
    onEvent(event);
  }

  function hold(piece: string): void {
    eventLength += piece.length;
    if (eventLength > maxEventBytes) {
      throw new McpError("TOO_LARGE", `One server-sent event is larger than ${maxEventBytes} bytes.`, {
        hint: "The server never ends its event, or answers with more than Fettle accepts in one message.",
        details: { limit: maxEventBytes },
      });
    }
    pieces.push(piece);
  }

  return {
    push(chunk) {
      let text = utf8.write(chunk);
      if (first && text !== "") {
        first = false;
        if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
      }
      let start = 0;
      if (skipLineFeed && text !== "") {
        if (text.charCodeAt(0) === 0x0a) start = 1;
        skipLineFeed = false;
      }
      // A line split over many chunks is joined once, when it ends, and each kind of line end is looked for once: the cost is linear.
      let lineFeed = text.indexOf("\n", start);
      let carriageReturn = text.indexOf("\r", start);
      while (lineFeed !== -1 || carriageReturn !== -1) {
        const byReturn = carriageReturn !== -1 && (lineFeed === -1 || carriageReturn < lineFeed);
        const end = byReturn ? carriageReturn : lineFeed;
        hold(text.slice(start, end));
        const line = pieces.length === 1 ? (pieces[0] ?? "") : pieces.join("");
        pieces = [];
        start = end + 1;
        if (byReturn && start === text.length) skipLineFeed = true;
        else if (byReturn && lineFeed === start) start++;
        if (lineFeed !== -1 && lineFeed < start) lineFeed = text.indexOf("\n", start);
        if (carriageReturn !== -1 && carriageReturn < start) carriageReturn = text.indexOf("\r", start);
        endLine(line);
      }
      if (start < text.length) hold(text.slice(start));
    },
    held: () => eventLength,
    lastEventId: () => lastId,
    retryMs: () => lastRetry,
  };
}
