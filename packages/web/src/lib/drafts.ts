/** @module Edits that are not saved yet. Kept in memory by what they are about, so that looking at another page loses nothing. */
import { createStore, type Store } from "./store.ts";

const stores = new Map<string, Store<unknown>>();

/** The store of one thing's draft; `undefined` while there is none. */
export function draftOf<Draft>(key: string): Store<Draft | undefined> {
  const known = stores.get(key) ?? createStore<unknown>(undefined);
  stores.set(key, known);
  // One key, one kind of draft: the key begins with what it is about.
  return known as Store<Draft | undefined>;
}
