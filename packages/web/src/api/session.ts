/** @module What the answers tell about the link to the service: is anyone still signed in, and when did it last answer. */
import { codeOf } from "@fettle/contract/core";
import { isLocal } from "../lib/local.ts";
import { createStore } from "../lib/store.ts";
import { keepLocalToken, localToken } from "./local.ts";

/** Set when an answer said that the session is over; the shell then asks to sign in over the page, so that drafts stay. */
export const sessionEnded = createStore(false);

/**
 * `paused`: the live stream keeps failing and pages poll instead. `crowded`: it was refused because too many are open, and
 * pages poll slowly. `offline`: nothing is reached.
 */
export type LinkState = "on" | "paused" | "crowded" | "offline";

export const linkState = createStore<LinkState>("on");

/** Epoch milliseconds of the last good answer. */
export const lastAnswerAt = createStore<number | null>(null);

/** Bare pages call before anyone is signed in; only the workspace cares that a session ended. */
let watching = false;

export function watchSession(): void {
  watching = true;
}

/** A 401 may also be an MCP server asking for its own sign-in, which has nothing to do with our session. */
export async function noteSessionEnded(response: Response): Promise<void> {
  if (!watching) return;
  const body: unknown = await response.json().catch(() => null);
  if (codeOf(body) !== "UNAUTHORIZED") return;
  if (!isLocal) sessionEnded.set(true);
  // Another inspector answers by now, whose token is another: the page begins anew, at its door.
  else if (localToken() !== undefined) {
    keepLocalToken(undefined);
    location.reload();
  }
}

export function noteAnswered(): void {
  lastAnswerAt.set(Date.now());
}
