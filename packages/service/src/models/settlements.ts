/**
 * @module Writes down calls of models together, a moment after they are over: a call does not wait for a disk. What was set aside
 * for it stays set aside until then, so that a process that dies in between can only make an organization spend less than its limit.
 */
import { limits } from "@fettle/contract/core";
import type { Pool } from "pg";
import { outageOf, outlasting } from "../core/db/outage.ts";
import type { Log } from "../core/log/log.ts";
import { type Settlement, settle } from "./budget-store.ts";

export interface Settlements {
  /** Waits only where more is under way than can be held. */
  add(settlement: Settlement): Promise<void>;
  /** Everything that was added before is written, or it throws. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const gatherMs = 100;
const retryMs = 1_000;

export function createSettlements({ pool, log }: { pool: Pick<Pool, "query">; log: Log }): Settlements {
  let waiting: Settlement[] = [];
  let written: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  /** What came before; what comes meanwhile gathers for the next time. */
  async function writeAll(): Promise<void> {
    let left = waiting.length;
    while (left > 0) {
      const batch = waiting.slice(0, Math.min(left, limits.models.settlementsAtOnce));
      await write(batch);
      waiting = waiting.slice(batch.length);
      left -= batch.length;
    }
  }

  /** One that cannot be written must not keep the others from it. */
  async function write(batch: readonly Settlement[]): Promise<void> {
    try {
      await settle(pool, batch);
    } catch (error) {
      if (outageOf(error)) throw error;
      if (batch.length > 1) {
        for (const one of batch) await write([one]);
      } else log.error("what a call of a model cost could not be written down", { error });
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    // Once more after whoever writes now, because that one may just have looked for the last time.
    written = written.then(writeAll, writeAll);
    return written;
  }

  function later(ms: number): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      flush().catch((error: unknown) => {
        log.warn("what models cost could not be written down, and is tried again", { error });
        later(retryMs);
      });
    }, ms);
  }

  return {
    async add(settlement) {
      waiting.push(settlement);
      if (waiting.length >= limits.models.settlementsHeld) await flush();
      else later(gatherMs);
    },
    flush,
    close: () => outlasting(flush),
  };
}
