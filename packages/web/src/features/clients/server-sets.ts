/** @module The two sets of servers a client has: those it needs and those it can do without. A server is in one of them at most. */
import type { ClientDetail } from "@fettle/contract/environments";

export interface ServerSets {
  serverIds: string[];
  optionalServerIds: string[];
}

export interface ServersDraft {
  base: ClientDetail;
  sets: ServerSets;
}

export type Attachment = "none" | "attached" | "optional";

export function setsOf({ config }: ClientDetail): ServerSets {
  return { serverIds: config.serverIds ?? [], optionalServerIds: config.optionalServerIds ?? [] };
}

export function attachmentOf({ serverIds, optionalServerIds }: ServerSets, id: string): Attachment {
  if (serverIds.includes(id)) return "attached";
  return optionalServerIds.includes(id) ? "optional" : "none";
}

/** The order of the others stays; a new one comes last. */
export function attach(sets: ServerSets, id: string, attachment: Attachment): ServerSets {
  const placed = (ids: readonly string[], isIn: boolean) => {
    if (isIn) return ids.includes(id) ? [...ids] : [...ids, id];
    return ids.filter((each) => each !== id);
  };
  return {
    serverIds: placed(sets.serverIds, attachment === "attached"),
    optionalServerIds: placed(sets.optionalServerIds, attachment === "optional"),
  };
}

export function sameSets(one: ServerSets, other: ServerSets): boolean {
  return (
    one.serverIds.join() === other.serverIds.join() &&
    one.optionalServerIds.join() === other.optionalServerIds.join()
  );
}
