/** @module The JSON-RPC messages behind the calls of this page, per server, newest last. Kept in memory only and bounded. */
import { createStore, type Store } from "../lib/store.ts";

export interface RpcLog {
  serverId: string;
  serverName: string;
  direction: "send" | "receive";
  timestamp: string;
  message?: unknown;
}

export interface TrafficEntry extends RpcLog {
  /** Counts up over the life of the page. */
  sequence: number;
}

export interface Traffic {
  entries: readonly TrafficEntry[];
  /** How many older ones had to go. */
  dropped: number;
}

export const trafficCapacity = 5_000;
const nothing: Traffic = { entries: [], dropped: 0 };
const stores = new Map<string, Store<Traffic>>();
let lastSequence = 0;

export function trafficOf(serverId: string): Store<Traffic> {
  const known = stores.get(serverId);
  if (known) return known;
  const store = createStore(nothing);
  stores.set(serverId, store);
  return store;
}

export function recordTraffic(serverId: string, logs: readonly RpcLog[]): void {
  if (logs.length === 0) return;
  const store = trafficOf(serverId);
  const before = store.get();
  const added = logs.map((log) => {
    lastSequence += 1;
    return { ...log, sequence: lastSequence };
  });
  const all = [...before.entries, ...added];
  const surplus = Math.max(0, all.length - trafficCapacity);
  store.set({ entries: all.slice(surplus), dropped: before.dropped + surplus });
}

export function clearTraffic(serverId: string): void {
  trafficOf(serverId).set(nothing);
}
