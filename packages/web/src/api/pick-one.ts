/** @module One thing out of a list, for what the service only lists: missing, it is told as any other missing thing. */
import { ApiError } from "@fettle/contract/core";

/**
 * @example
 * useOperation("listServerGroups", { projectId }, { select: pickOne(groupId) })
 */
export function pickOne<Item extends { id: string }>(id: string) {
  return ({ items }: { items: readonly Item[] }): Item => {
    const found = items.find((item) => item.id === id);
    if (found) return found;
    throw new ApiError("NOT_FOUND", "There is no such thing in this project.");
  };
}
