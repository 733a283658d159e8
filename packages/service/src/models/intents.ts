/**
 * @module Writes down that a model is about to be called, before it is: a process that dies in the middle leaves the call in the
 * ledger, unsettled. Calls that come while a statement is under way are written together by the next one, over one connection.
 */

import { limits } from "@fettle/contract/core";
import type { Pool } from "pg";
import { outageOf } from "../core/db/outage.ts";
import { type Intent, insertIntents } from "./budget-store.ts";

export interface Intents {
  /** Resolves when the intent is stored. Throws when it could not be: then the model must not be called. */
  add(intent: Intent): Promise<void>;
}

interface Waiting {
  intent: Intent;
  stored: PromiseWithResolvers<void>;
}

export function createIntents({ pool }: { pool: Pick<Pool, "query"> }): Intents {
  const waiting: Waiting[] = [];
  let isWriting = false;

  async function writeAll(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    while (waiting.length > 0) await write(waiting.splice(0, limits.models.settlementsAtOnce));
    isWriting = false;
  }

  /** One that cannot be written, such as an organization's that was just deleted, must not stop the others. */
  async function write(batch: readonly Waiting[]): Promise<void> {
    try {
      await insertIntents(
        pool,
        batch.map(({ intent }) => intent),
      );
      for (const { stored } of batch) stored.resolve();
    } catch (error) {
      if (batch.length > 1 && !outageOf(error)) for (const one of batch) await write([one]);
      else for (const { stored } of batch) stored.reject(error);
    }
  }

  return {
    add(intent) {
      const stored = Promise.withResolvers<void>();
      waiting.push({ intent, stored });
      void writeAll();
      return stored.promise;
    },
  };
}
