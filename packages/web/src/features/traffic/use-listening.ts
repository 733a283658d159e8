/** @module Keeps the connection that the page has used, and hears what the server says of its own accord. */
import type { ProjectServer } from "@fettle/contract/servers";
import { useEffect, useSyncExternalStore } from "react";
import { declaredOf } from "../../api/declared.ts";
import { failureOf } from "../../api/failure.ts";
import { askServer } from "../../api/server-asks.ts";
import { serverStates } from "../../api/server-calls.ts";
import { changesOf, noteFollowFailed } from "../../api/server-changes.ts";

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
  const changes = changesOf(serverId);
  const followed = useSyncExternalStore(changes.subscribe, () => changes.get().followed);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another declaration is another connection.
  useEffect(() => {
    if (!isConnected || !isVisible) return;
    const left = new AbortController();
    const asked = { name: "listen" as const, input: { resources: [...followed] } };
    // Whoever asks next is told what is wrong, and by then the connection is another; only what is followed is told of here.
    askServer({ projectId, serverId }, asked, { signal: left.signal, isQuiet: true }).catch((error) => {
      if (!left.signal.aborted) noteFollowFailed(serverId, failureOf(error));
    });
    return () => left.abort();
  }, [isConnected, isVisible, projectId, serverId, declared, followed]);
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}
