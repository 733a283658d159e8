/** @module What went over the wire behind the tabs of this browser, per server, newest last: messages, the HTTP below them, notes. Bounded. */
import type { HttpExchange } from "@fettle/contract/formats";
import { type Json, parseExact } from "../lib/json-exact.ts";
import { createStore, type Store } from "../lib/store.ts";
import { forgetEntries, hearTabs, keepEntries, keptEntries, tabId, tellTabs } from "./traffic-kept.ts";

/** As calls that are not followed hand them over when they are done. */
export interface RpcLog {
  serverId: string;
  serverName: string;
  direction: "send" | "receive";
  timestamp: string;
  message?: unknown;
}

export interface WireMessage {
  kind: "message";
  at: number;
  direction: "send" | "receive";
  message?: Json;
  malformed?: string;
  httpStatus?: number;
  /** Between this page and a widget of the server, which the server never sees. */
  peer?: "widget";
}

export interface WireHttp extends HttpExchange {
  kind: "http";
}

export type WireEntry =
  | WireMessage
  | WireHttp
  | { kind: "stderr"; at: number; text: string }
  | { kind: "note"; at: number; note: string; details?: Record<string, unknown> };

export type TrafficEntry = WireEntry & {
  /** Counts up over the life of the page. */
  sequence: number;
  /** Ids of requests count anew on each. */
  connection: string;
};

export interface Traffic {
  entries: readonly TrafficEntry[];
  /** How many older ones had to go. */
  dropped: number;
}

export const trafficCapacity = 20_000;
/** A server may speak often; the page is drawn anew this often. */
const drawMs = 50;
const nothing: Traffic = { entries: [], dropped: 0 };

type Entry = WireEntry & {
  /** Its place on the connection, as the service counts. */
  place?: number;
};

type Heard = Entry & { connection: string };

interface Log {
  serverId: string;
  store: Store<Traffic>;
  waiting: Heard[];
  /** What was kept over a reload is shown; nothing new is drawn before it. */
  isBack: boolean;
  /** The newest that was heard of each connection: two who look on hear the same. */
  heard: Map<string, number>;
}

const logs = new Map<string, Log>();
let lastSequence = 0;
let lastBatch = 0;

function logOf(serverId: string): Log {
  const known = logs.get(serverId);
  if (known) return known;
  const log: Log = { serverId, store: createStore(nothing), waiting: [], isBack: false, heard: new Map() };
  logs.set(serverId, log);
  void bringBack(log);
  return log;
}

/** What was still awaited before it is told to nobody. */
export const loadedAnew = "page reloaded";

/** What this tab had before it was loaded anew. The service tells how a connection began to everyone who joins it, so that is known already. */
async function bringBack(log: Log): Promise<void> {
  // Written by ourselves.
  const kept = (await keptEntries(log.serverId).catch(() => [])) as Heard[];
  const places = new Map<string, number>();
  for (const { connection, place = 0 } of kept) {
    places.set(connection, Math.max(place, places.get(connection) ?? 0));
  }
  log.waiting = log.waiting.filter(
    ({ connection, place }) => place === undefined || place > (places.get(connection) ?? 0),
  );
  for (const [connection, place] of places) {
    log.heard.set(connection, Math.max(place, log.heard.get(connection) ?? 0));
  }
  if (kept.length > 0) {
    const mark: Heard = { kind: "note", at: Date.now(), note: loadedAnew, connection: "" };
    log.store.set({ entries: numbered([...kept, mark]), dropped: 0 });
  }
  log.isBack = true;
  if (log.waiting.length > 0) draw(log);
}

function numbered(entries: readonly Heard[]): TrafficEntry[] {
  return entries.map((entry) => {
    lastSequence += 1;
    return { ...entry, sequence: lastSequence };
  });
}

hearTabs(({ serverId, connection, sequence, text }) => {
  const log = logOf(serverId);
  if (sequence !== undefined && !isNew(log, connection, sequence)) return;
  add(log, parseExact(text) as Heard[]);
});

/** Adds it here, and in the browser's other tabs. */
function addEverywhere(log: Log, connection: string, entries: readonly Entry[], sequence?: number): void {
  const heard = entries.map((entry): Heard => ({ ...entry, connection }));
  add(log, heard);
  const counted = sequence === undefined ? {} : { sequence };
  tellTabs({ serverId: log.serverId, connection, ...counted, text: JSON.stringify(heard) });
}

function isNew(log: Log, connection: string, sequence: number): boolean {
  if (sequence <= (log.heard.get(connection) ?? 0)) return false;
  log.heard.set(connection, sequence);
  return true;
}

export function trafficOf(serverId: string): Store<Traffic> {
  return logOf(serverId).store;
}

/** One entry of a followed call; false when it was heard before. */
export function recordWire(
  serverId: string,
  { connection, sequence, entry }: { connection: string; sequence: number; entry: WireEntry },
): boolean {
  const log = logOf(serverId);
  if (!isNew(log, connection, sequence)) return false;
  addEverywhere(log, connection, [{ ...entry, place: sequence }], sequence);
  return true;
}

/** One message between the page and a widget of the server. */
export function recordBridge(
  serverId: string,
  widgetId: string,
  { at, from, message }: { at: number; from: "host" | "widget"; message: Json },
): void {
  const direction = from === "host" ? "send" : "receive";
  const entry = { kind: "message", at, direction, message, peer: "widget" } as const;
  addEverywhere(logOf(serverId), `widget ${widgetId}`, [entry]);
}

/** All messages of a call that is over. */
export function recordTraffic(serverId: string, told: readonly RpcLog[]): void {
  if (told.length === 0) return;
  lastBatch += 1;
  const connection = `batch ${tabId} ${lastBatch}`;
  addEverywhere(
    logOf(serverId),
    connection,
    told.map(({ direction, timestamp, message }) => ({
      kind: "message" as const,
      at: Date.parse(timestamp),
      direction,
      // Messages are JSON.
      message: (message ?? null) as Json,
    })),
  );
}

function add(log: Log, entries: readonly Heard[]): void {
  if (log.waiting.length === 0) setTimeout(() => draw(log), drawMs);
  log.waiting.push(...entries);
}

function draw(log: Log): void {
  if (!log.isBack) return;
  const before = log.store.get();
  const all = [...before.entries, ...numbered(log.waiting)];
  if (log.waiting.length > 0) void keepEntries(log.serverId, log.waiting);
  log.waiting = [];
  const surplus = Math.max(0, all.length - trafficCapacity);
  log.store.set({ entries: all.slice(surplus), dropped: before.dropped + surplus });
}

export function clearTraffic(serverId: string): void {
  const log = logOf(serverId);
  log.waiting = [];
  log.store.set(nothing);
  void forgetEntries(serverId);
}
