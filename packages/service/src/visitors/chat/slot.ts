/** @module A turn's place among those that work at once. While all it does is wait for a person it gives the place up, and takes one again before it goes on. */
import { setTimeout as delay } from "node:timers/promises";
import type { App } from "../../core/app.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { holdPool, limitOf, poolOf, type Sending } from "./claim.ts";
import * as store from "./store.ts";

/** Whichever process a page speaks to, the one that plays the turn looks this often. */
export const lookMs = 250;

export interface Slot {
  /** The answer, once it is there and the turn may work on. */
  waits(toolCallId: string, ask: () => Promise<boolean>, signal: AbortSignal): Promise<boolean>;
  /** A call that nobody is asked about. */
  works(toolCallId: string): true;
  /** A call has come to its end. */
  ended(toolCallId: string): void;
}

export function createSlot(app: App, sending: Sending, turnId: () => store.TurnRow["id"]): Slot {
  const asked = new Set<string>();
  const made = new Set<string>();
  let isGivenUp = false;
  let last: Promise<void> = Promise.resolve();

  const write = (isWaiting: boolean, mayWork?: (tx: Parameters<typeof holdPool>[0]) => Promise<boolean>) =>
    app.db.transaction(async (tx) => {
      if (mayWork && !(await mayWork(tx))) return false;
      await store.setWaits(tx, turnId(), isWaiting);
      await announceInProject(app, tx, sending.project.id, "sessions");
      isGivenUp = isWaiting;
      return true;
    });
  const hasRoom = async (tx: Parameters<typeof holdPool>[0]) => {
    const pool = poolOf(sending);
    await holdPool(tx, pool);
    const { working } = await store.countRunning(tx, pool, new Date(app.now()));
    return working < limitOf(sending);
  };
  /** One after the other: calls of a step are asked about and end at the same time. */
  const settle = (signal?: AbortSignal): Promise<void> => {
    const next = last.then(async () => {
      const isWaiting = asked.size > 0 && made.size === 0;
      if (isWaiting === isGivenUp) return;
      if (isWaiting) return void (await write(true));
      while (!(await write(false, hasRoom))) await delay(lookMs, undefined, signal && { signal });
    });
    last = next.catch(() => undefined);
    return next;
  };

  return {
    works: (toolCallId) => {
      made.add(toolCallId);
      return true;
    },
    ended: (toolCallId) => {
      made.delete(toolCallId);
      settle().catch((error: unknown) => app.log.warn("a turn kept a place it does not need", { error }));
    },
    waits: async (toolCallId, ask, signal) => {
      asked.add(toolCallId);
      try {
        const [isAllowed] = await Promise.all([ask(), settle()]);
        if (isAllowed) made.add(toolCallId);
        return isAllowed;
      } finally {
        asked.delete(toolCallId);
        await settle(signal);
      }
    },
  };
}
