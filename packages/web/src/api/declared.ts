/** @module What this browser's connections to a server declare that they can be asked: kept here, for each server. */
import type { ServerAskRequest } from "@fettle/contract/servers";
import { readStored, writeStored } from "../lib/storage.ts";
import { createStore, type Store } from "../lib/store.ts";

export type Declared = ServerAskRequest["declares"];

const everything: Declared = { sampling: true, elicitation: true, tasks: true, widgets: true, roots: [] };
const stores = new Map<string, Store<Declared>>();

export function declaredOf(serverId: string): Store<Declared> {
  const known = stores.get(serverId);
  if (known) return known;
  const store = createStore(readDeclared(readStored(`declared:${serverId}`)));
  stores.set(serverId, store);
  return store;
}

export function setDeclared(serverId: string, declared: Declared): void {
  declaredOf(serverId).set(declared);
  writeStored(`declared:${serverId}`, declared);
}

/** Keeps of a stored value only what it may be. */
function readDeclared(stored: unknown): Declared {
  if (typeof stored !== "object" || stored === null) return everything;
  const { sampling, elicitation, tasks, widgets, roots } = stored as Record<string, unknown>;
  const uris = Array.isArray(roots) ? roots.filter((root) => typeof root?.uri === "string") : [];
  return {
    sampling: sampling !== false,
    elicitation: elicitation !== false,
    tasks: tasks !== false,
    widgets: widgets !== false,
    roots: roots === null ? null : uris.map(({ uri }: { uri: string }) => ({ uri })),
  };
}
