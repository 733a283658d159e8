/** @module Newline-delimited messages from a pipe, each within its cap: a line that grows too long is dropped as it flows, not stored. */
import { isUtf8 } from "node:buffer";

export interface LineReaderEvents {
  line(text: string, facts: { isUtf8: boolean }): void;
  /** A line passed the cap; `head` is its beginning. The rest is dropped. */
  overflow(head: string): void;
  /** The dropped line came to its end. */
  overflowEnd(line: { bytes: number; tail: string }): void;
  /** So much was dropped that no end is in sight. */
  flood(): void;
}

const newline = 0x0a;
const edgeBytes = 512;
/** How many caps of one endless line are swallowed before giving up on the peer. */
const floodFactor = 4;
/** Of a line that may lack nothing but its end; a longer one is taken to be still under way. */
const unendedBytes = 64 * 1024;

export interface LineReader {
  push(chunk: Buffer): void;
  /** A whole JSON text that waits only for the end of its line. What is still being written is none. */
  unfinished(): string | undefined;
}

export function readLines(maxLineBytes: number, events: LineReaderEvents): LineReader {
  let parts: Buffer[] = [];
  let length = 0;
  let tail: Buffer = Buffer.alloc(0);
  let dropping = false;
  let flooded = false;

  function hold(part: Buffer): void {
    length += part.length;
    if (dropping) {
      tail = Buffer.concat([tail, part.subarray(-edgeBytes)]).subarray(-edgeBytes);
      if (length > maxLineBytes * floodFactor) {
        flooded = true;
        events.flood();
      }
      return;
    }
    parts.push(part);
    if (length <= maxLineBytes) return;
    dropping = true;
    const head = Buffer.concat(parts, edgeBytes).toString("utf8");
    // Copied: a view of the last chunk would keep the whole chunk alive.
    tail = Buffer.from(part.subarray(-edgeBytes));
    parts = [];
    events.overflow(head);
  }

  function endLine(): void {
    if (dropping) {
      events.overflowEnd({ bytes: length, tail: tail.toString("utf8") });
    } else if (length > 0) {
      const [first] = parts;
      const bytes = first && parts.length === 1 ? first : Buffer.concat(parts, length);
      const text = bytes.toString("utf8").replace(/\r$/, "");
      if (text !== "") events.line(text, { isUtf8: isUtf8(bytes) });
    }
    parts = [];
    length = 0;
    dropping = false;
  }

  return {
    push(chunk) {
      let start = 0;
      while (!flooded) {
        const end = chunk.indexOf(newline, start);
        if (end === -1) break;
        if (end > start) hold(chunk.subarray(start, end));
        endLine();
        start = end + 1;
      }
      if (!flooded && start < chunk.length) hold(chunk.subarray(start));
    },
    unfinished() {
      if (length === 0 || length > unendedBytes) return undefined;
      const text = Buffer.concat(parts).toString("utf8");
      return isJson(text) ? text : undefined;
    },
  };
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}
