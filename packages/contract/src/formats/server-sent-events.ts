/** @module Server-sent events, read from text as it comes; for Node and pages alike. */

export interface ServerSentEvent {
  /** Event type; `message` unless the server named one. */
  event: string;
  /** Absent where no line of the event carried any. */
  data?: string;
  /** The id this event set, if it set one. */
  id?: string;
  retry?: number;
}

export interface EventReader {
  /** Feeds text; complete events are handed to `onEvent` in order. */
  push(text: string): void;
  /** How much of an event is kept that has not ended. */
  held(): number;
}

/**
 * An incremental reader of `text/event-stream`. Comments keep the link alive and are swallowed. `onHeld` hears how long
 * the event is that has not ended yet, and may throw when that is too long.
 *
 * @example
 * const reader = readServerSentEvents((event) => console.log(event.data));
 * reader.push("event: changed\ndata: {}\n\n");
 */
export function readServerSentEvents(
  onEvent: (event: ServerSentEvent) => void,
  onHeld?: (length: number) => void,
): EventReader {
  let pieces: string[] = [];
  let eventLength = 0;
  let data: string[] = [];
  let type = "";
  let id: string | undefined;
  let retry: number | undefined;
  let hasFields = false;
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
    const event: ServerSentEvent = {
      event: type || "message",
      ...(data.length > 0 && { data: data.join("\n") }),
      ...(id !== undefined && { id }),
      ...(retry !== undefined && { retry }),
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
    onHeld?.(eventLength);
    pieces.push(piece);
  }

  return {
    push(given) {
      let text = given;
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
  };
}
