/** @module Reads server-sent events from bytes as they arrive. */

export interface ServerEvent {
  id: string | null;
  type: string;
  data: string;
}

/**
 * A decoder to push text into; whole events come out. Comments keep the link alive and are swallowed.
 *
 * @example
 * const decode = eventDecoder();
 * decode("event: changed\ndata: {}\n\n") // [{ id: null, type: "changed", data: "{}" }]
 */
export function eventDecoder(): (text: string) => ServerEvent[] {
  let rest = "";
  let fields = blank();
  return (text) => {
    const events: ServerEvent[] = [];
    rest += text;
    // A lone CR at the very end may be the first half of CRLF: wait for the other half.
    const usable = rest.endsWith("\r") ? rest.slice(0, -1) : rest;
    const lines = usable.split(/\r\n|\n|\r/);
    rest = (lines.pop() ?? "") + rest.slice(usable.length);
    for (const line of lines) {
      if (line === "") {
        if (fields.data.length > 0)
          events.push({ id: fields.id, type: fields.type, data: fields.data.join("\n") });
        fields = blank();
        continue;
      }
      const colon = line.indexOf(":");
      const name = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (name === "data") fields.data.push(value);
      else if (name === "event") fields.type = value;
      else if (name === "id") fields.id = value;
    }
    return events;
  };
}

function blank(): { id: string | null; type: string; data: string[] } {
  return { id: null, type: "message", data: [] };
}
