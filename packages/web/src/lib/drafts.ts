/** @module Edits that are not saved yet. Kept in memory by what they are about, so that looking at another page loses nothing; some outlive a reload, too. */
import { parseExact } from "./json-exact.ts";
import { readForTab, writeForTab } from "./storage.ts";
import { createStore, type Store } from "./store.ts";

const stores = new Map<string, Store<unknown>>();

/** The store of one thing's draft; `undefined` while there is none. `keeps`: this tab has it again after a reload. */
export function draftOf<Draft>(key: string, keeps = false): Store<Draft | undefined> {
  const known = stores.get(key) ?? (keeps ? keptStore(`draft:${key}`) : createStore<unknown>(undefined));
  stores.set(key, known);
  // One key, one kind of draft: the key begins with what it is about.
  return known as Store<Draft | undefined>;
}

function keptStore(name: string): Store<unknown> {
  // A number that was typed comes back digit by digit.
  const store = createStore(readForTab(name, parseExact));
  store.subscribe(() => writeForTab(name, store.get()));
  return store;
}
