/** @module The draft of one thing, shared by all that show it. */
import { useSyncExternalStore } from "react";
import { draftOf } from "../lib/drafts.ts";

/**
 * @example
 * const [draft, setDraft] = useDraft<ClientDraft>(`client:${client.id}`);
 */
export function useDraft<Draft>(
  key: string,
  keeps = false,
): [Draft | undefined, (next: Draft | undefined) => void] {
  const store = draftOf<Draft>(key, keeps);
  return [useSyncExternalStore(store.subscribe, store.get), store.set];
}
