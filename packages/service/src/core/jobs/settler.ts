/** @module Writes how jobs went. What ends while one statement is under way goes together into the next. */
import { setTimeout as delay } from "node:timers/promises";
import { type Database, isConnectionFault } from "../db/pool.ts";
import { type Hold, type Outcome, type Settlement, settleOne, settleTogether } from "./store.ts";

export interface Settler {
  /** Whether the outcome was written: false when the job is no longer ours. */
  settle(hold: Hold, outcome: Outcome): Promise<boolean>;
}

interface Pending {
  settlement: Settlement;
  resolve(isSettled: boolean): void;
  reject(error: unknown): void;
}

const largestBatch = 200;

/** After `released` nothing is ours, so that a database which is away is not waited for. */
export function createSettler(db: Database, released: AbortSignal): Settler {
  let pending: Pending[] = [];
  let isWriting = false;

  /** An outcome must not be lost with a connection: it is written when the database is back, if the job is still ours. */
  async function persistently<Answer>(write: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (!isConnectionFault(error) || released.aborted) throw error;
        await delay(250);
      }
    }
  }

  /** By itself, so that it can wait for its row, or fail, without the others. */
  function writeAlone({ settlement, resolve, reject }: Pending): void {
    persistently(() => settleOne(db, settlement)).then(resolve, reject);
  }

  async function writeAll(): Promise<void> {
    while (pending.length > 0) {
      const batch = pending.slice(0, largestBatch);
      pending = pending.slice(largestBatch);
      try {
        const settlements = batch.map(({ settlement }) => settlement);
        const answers = await persistently(() => settleTogether(db, settlements));
        for (const [index, one] of batch.entries()) {
          if (answers[index] === "busy") writeAlone(one);
          else one.resolve(answers[index] === "settled");
        }
      } catch (error) {
        const [first, ...others] = batch;
        if (first && others.length === 0) first.reject(error);
        // One of them cannot be written; the others can.
        else for (const one of batch) writeAlone(one);
      }
    }
    isWriting = false;
  }

  return {
    settle: (hold, outcome) =>
      new Promise((resolve, reject) => {
        pending.push({ settlement: { hold, outcome }, resolve, reject });
        if (isWriting) return;
        isWriting = true;
        // Not before all that end in this turn of the event loop are here.
        setImmediate(writeAll);
      }),
  };
}
