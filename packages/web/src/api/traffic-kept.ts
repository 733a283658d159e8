/**
 * @module What went over the wire, beyond this page: kept by the browser for this tab over a reload, and told to its other tabs as it
 * comes. As text, so that numbers keep their digits; without secrets, as the service tells it.
 */
import { parseExact } from "../lib/json-exact.ts";
import { readForTab, writeForTab } from "../lib/storage.ts";

/** A tab that was closed is forgotten by then. */
const keptMs = 24 * 60 * 60 * 1_000;
const name = "fettle-traffic";
const table = "entries";

/** Of this tab, the same after a reload. */
export const tabId = (() => {
  const known = readForTab("traffic");
  if (typeof known === "string") return known;
  const made = String(Math.random()).slice(2);
  writeForTab("traffic", made);
  return made;
})();

interface Row {
  place: string;
  at: number;
  text: string;
}

let opening: Promise<IDBDatabase> | undefined;
function opened(): Promise<IDBDatabase> {
  opening ??= open();
  return opening;
}

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => {
    const made = request.result.createObjectStore(table, { autoIncrement: true });
    made.createIndex("place", "place");
    made.createIndex("at", "at");
  };
  const database = await done(request);
  await drop(database, "at", IDBKeyRange.upperBound(Date.now() - keptMs));
  return database;
}

const placeOf = (serverId: string) => `${tabId} ${serverId}`;

/** Added to what is kept; nothing is where the browser forbids it. */
export async function keepEntries(serverId: string, entries: readonly object[]): Promise<void> {
  const row: Row = { place: placeOf(serverId), at: Date.now(), text: JSON.stringify(entries) };
  const database = await opened().catch(() => undefined);
  const change = database?.transaction(table, "readwrite");
  change?.objectStore(table).add(row);
  // Without this a page that is loaded anew at once could take it back.
  change?.commit();
}

/** The oldest first. */
export async function keptEntries(serverId: string): Promise<unknown[]> {
  const database = await opened();
  const found = database.transaction(table).objectStore(table).index("place").getAll(placeOf(serverId));
  const rows: Row[] = await done(found);
  return rows.flatMap(({ text }) => parseExact(text) as unknown[]);
}

export async function forgetEntries(serverId: string): Promise<void> {
  const database = await opened().catch(() => undefined);
  if (database) await drop(database, "place", IDBKeyRange.only(placeOf(serverId)));
}

async function drop(database: IDBDatabase, index: string, range: IDBKeyRange): Promise<void> {
  const store = database.transaction(table, "readwrite").objectStore(table);
  const keys = await done(store.index(index).getAllKeys(range));
  for (const key of keys) store.delete(key);
}

function done<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

export interface SharedEntry {
  serverId: string;
  connection: string;
  /** Where the service counts what goes over the connection. */
  sequence?: number;
  text: string;
}

const channel = typeof document === "undefined" ? undefined : new BroadcastChannel(name);

export const tellTabs = (shared: SharedEntry) => channel?.postMessage(shared);

export function hearTabs(listener: (shared: SharedEntry) => void): void {
  channel?.addEventListener("message", ({ data }: MessageEvent<SharedEntry>) => listener(data));
}
