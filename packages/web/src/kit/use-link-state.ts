/** @module Whether the service answers, for what is shown and for what may be pressed. */
import { useSyncExternalStore } from "react";
import { type LinkState, linkState } from "../api/session.ts";

export function useLinkState(): LinkState {
  return useSyncExternalStore(linkState.subscribe, linkState.get);
}

/** Why nothing can be changed right now, or undefined when it can. */
export function useWriteBlock(): string | undefined {
  return useLinkState() === "offline"
    ? "The service cannot be reached; nothing can be saved right now."
    : undefined;
}
