/** @module JSON-RPC messages as rows: what each one is, which request an answer belongs to, and how long it took. */
import type { TrafficEntry } from "../../api/traffic.ts";
import { isJsonObject, type Json } from "../../lib/json-exact.ts";

export type MessageKind = "request" | "response" | "error" | "notification" | "other";

export interface MessageRow {
  entry: TrafficEntry;
  kind: MessageKind;
  /** Its own method, or that of the request it answers. */
  method: string;
  /** The tool, prompt or resource it is about. */
  subject?: string;
  tookMs?: number;
}

export function messageRows(entries: readonly TrafficEntry[]): MessageRow[] {
  const asked = new Map<string, { method: string; subject: string | undefined; at: number }>();
  return entries.map((entry) => {
    const message = isJsonObject(entry.message) ? entry.message : {};
    const hasId = message.id !== undefined && message.id !== null;
    if (typeof message.method === "string") {
      const subject = subjectOf(message.params);
      const other = entry.direction === "send" ? "receive" : "send";
      if (hasId)
        asked.set(keyOf(other, message.id!), {
          method: message.method,
          subject,
          at: Date.parse(entry.timestamp),
        });
      return {
        entry,
        kind: hasId ? "request" : "notification",
        method: message.method,
        ...(subject && { subject }),
      };
    }
    const kind = message.error !== undefined ? "error" : message.result !== undefined ? "response" : "other";
    const request = hasId ? asked.get(keyOf(entry.direction, message.id!)) : undefined;
    if (request) asked.delete(keyOf(entry.direction, message.id!));
    return {
      entry,
      kind,
      method: request?.method ?? "(no request seen)",
      ...(request?.subject && { subject: request.subject }),
      ...(request && { tookMs: Date.parse(entry.timestamp) - request.at }),
    };
  });
}

/** An answer travels against the direction of its request. */
function keyOf(direction: string, id: Json): string {
  return `${direction} ${JSON.stringify(id)}`;
}

function subjectOf(params: Json | undefined): string | undefined {
  if (!isJsonObject(params)) return undefined;
  return [params.name, params.uri].find((each) => typeof each === "string");
}

export interface RowFilter {
  text: string;
  direction: "all" | "send" | "receive";
  /** Empty for all. */
  method: string;
}

export function filterRows(rows: readonly MessageRow[], filter: RowFilter): MessageRow[] {
  const wanted = filter.text.toLowerCase();
  return rows.filter(
    ({ entry, method }) =>
      (filter.direction === "all" || entry.direction === filter.direction) &&
      (filter.method === "" || method === filter.method) &&
      (wanted === "" || `${method} ${JSON.stringify(entry.message)}`.toLowerCase().includes(wanted)),
  );
}
