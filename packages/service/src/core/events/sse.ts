/** @module Server-sent events as text: what goes over the wire to a page. Pure. */
import type { StreamItem } from "./events.ts";

/** Sent first and every 15 seconds: some browsers hand over a stream only after its first byte, and proxies close silent ones. */
export const keepAlive = ": \n\n";
export const keepAliveMs = 15_000;

function frame(event: string, data: unknown, id?: string): string {
  // JSON has no line breaks outside its strings and escapes those inside, so one data line is enough.
  const lines = [
    id === undefined ? "" : `id: ${id}\n`,
    `event: ${event}\n`,
    `data: ${JSON.stringify(data)}\n`,
  ];
  return `${lines.join("")}\n`;
}

/**
 * @example
 * sseFrame({ kind: "event", id: "7", topic: "run:1", type: "changed", at: 0, data: { rev: 3 } }, 0);
 * // "id: 7\nevent: changed\ndata: {\"topic\":\"run:1\",\"at\":0,\"rev\":3}\n\n"
 */
export function sseFrame(item: StreamItem, now: number): string {
  switch (item.kind) {
    case "hello":
      return frame("hello", { at: now, resumed: item.isResumed }, item.id);
    case "reset":
      return frame("reset", { at: now }, item.id);
    case "event":
      return frame(
        item.type.replace(/[^\w.-]/g, "_"),
        { ...item.data, topic: item.topic, at: item.at },
        item.id,
      );
  }
}

/** Sent when the server stops: come back after this long. */
export function sseBye(now: number, retryMs: number): string {
  return frame("bye", { at: now, retryMs });
}
