/** @module What a server says has changed, as far as this page has heard: its lists, and resources that are followed. */
import type { ApiError } from "@fettle/contract/core";
import { isJsonObject } from "../lib/json-exact.ts";
import { createStore, type Store } from "../lib/store.ts";
import type { WireEntry } from "./traffic.ts";

export type ChangingList = "tools" | "prompts" | "resources";

export interface ServerChanges {
  /** When each list was last said to be another. */
  lists: Readonly<Partial<Record<ChangingList, number>>>;
  /** Resources that are another than when they were read, by address. */
  updated: ReadonlyMap<string, number>;
  followed: readonly string[];
  /** Why nothing is followed. */
  failure?: ApiError;
}

const stores = new Map<string, Store<ServerChanges>>();
/** A server may name addresses without end. */
const keptUpdates = 200;

export function changesOf(serverId: string): Store<ServerChanges> {
  const known = stores.get(serverId);
  if (known) return known;
  const store = createStore<ServerChanges>({ lists: {}, updated: new Map(), followed: [] });
  stores.set(serverId, store);
  return store;
}

const listMethod = /^notifications\/(tools|prompts|resources)\/list_changed$/;

/** Looks at one entry of the wire, heard for the first time. */
export function noteChange(serverId: string, entry: WireEntry): void {
  if (entry.kind !== "message" || entry.direction !== "receive" || !isJsonObject(entry.message)) return;
  const { method, params } = entry.message;
  if (typeof method !== "string") return;
  const store = changesOf(serverId);
  const list = listMethod.exec(method)?.[1];
  if (list) store.set({ ...store.get(), lists: { ...store.get().lists, [list]: Date.now() } });
  const uri = isJsonObject(params) ? params.uri : undefined;
  if (method !== "notifications/resources/updated" || typeof uri !== "string") return;
  const updated = [...store.get().updated].filter(([known]) => known !== uri).slice(1 - keptUpdates);
  store.set({ ...store.get(), updated: new Map([...updated, [uri, Date.now()]]) });
}

/** It was read, so what is shown is what it holds. */
export function noteRead(serverId: string, uri: string): void {
  const store = changesOf(serverId);
  if (!store.get().updated.has(uri)) return;
  store.set({
    ...store.get(),
    updated: new Map([...store.get().updated].filter(([known]) => known !== uri)),
  });
}

export function follow(serverId: string, uri: string, isOn: boolean): void {
  const store = changesOf(serverId);
  const { failure: _, ...changes } = store.get();
  const others = changes.followed.filter((known) => known !== uri);
  store.set({ ...changes, followed: isOn ? [...others, uri] : others });
}

export function noteFollowFailed(serverId: string, failure: ApiError): void {
  const store = changesOf(serverId);
  if (store.get().followed.length > 0) store.set({ ...store.get(), followed: [], failure });
}
