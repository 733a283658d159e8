/** @module A list that is read again when the server says that it has changed, while somebody looks at it. */
import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { type ChangingList, changesOf } from "../api/server-changes.ts";

/** A server that says so with every reading is not asked without end and at once. */
const restMs = 2_000;

export function useListChanges(
  serverId: string,
  list: ChangingList,
  { dataUpdatedAt, refetch }: Pick<UseQueryResult, "dataUpdatedAt" | "refetch">,
): void {
  const { subscribe, get } = changesOf(serverId);
  const changedAt = useSyncExternalStore(subscribe, () => get().lists[list] ?? 0);
  const isOld = dataUpdatedAt > 0 && changedAt > dataUpdatedAt;
  useEffect(() => {
    if (!isOld) return;
    const wait = Math.max(0, dataUpdatedAt + restMs - Date.now());
    const timer = setTimeout(() => void refetch(), wait);
    return () => clearTimeout(timer);
  }, [isOld, dataUpdatedAt, refetch]);
}
