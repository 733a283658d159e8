/** @module Keeps the connection that the page has used, and hears what the server says of its own accord. */
import type { ProjectServer } from "@fettle/contract";
import { useEffect, useSyncExternalStore } from "react";
import { declaredOf } from "../../api/declared.ts";
import { askServer } from "../../api/server-asks.ts";
import { serverStates } from "../../api/server-calls.ts";

/**
 * Only where something was asked and answered: looking at a page connects to nobody. Only while it is looked at: browsers open few
 * connections to one origin, and all tabs share them.
 */
export function useListening({ id: serverId, projectId }: ProjectServer): void {
  const isConnected = useSyncExternalStore(
    serverStates.subscribe,
    () => serverStates.get().get(serverId)?.state === "connected",
  );
  const isVisible = useSyncExternalStore(onVisibility, () => document.visibilityState === "visible");
  const declared = useSyncExternalStore(declaredOf(serverId).subscribe, declaredOf(serverId).get);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another declaration is another connection.
  useEffect(() => {
    if (!isConnected || !isVisible) return;
    const left = new AbortController();
    // Whoever asks next is told what is wrong, and by then the connection is another.
    askServer({ projectId, serverId }, { name: "listen" }, { signal: left.signal, isQuiet: true }).catch(
      () => {},
    );
    return () => left.abort();
  }, [isConnected, isVisible, projectId, serverId, declared]);
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}
