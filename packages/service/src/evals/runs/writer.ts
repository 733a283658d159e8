/** @module Writes repetitions as they settle, those of a moment together: players go on meanwhile, and do not wait for a disk. */
import { setTimeout as delay } from "node:timers/promises";
import type { EvalIterationId } from "@fettle/contract/core";
import type { Database } from "../../core/db/pool.ts";
import { LeaseLost } from "../../core/jobs/define.ts";
import type { Hold } from "../../core/jobs/store.ts";
import { type SettledIteration, writeIterations } from "./iteration-store.ts";

export interface Writer {
  /**
   * Taken, and committed a moment later; waits only where more is under way than may be lost with this process.
   * Throws when something could not be written, or the job is no longer ours: somebody else plays it by now.
   */
  settle(iteration: SettledIteration): Promise<void>;
  /** For those who watch: told with the next write, or after a moment when there is none. */
  begin(id: EvalIterationId): void;
  /** Everything that was taken is committed, or it throws. */
  flush(): Promise<void>;
  /** Nothing is written after it. */
  close(): void;
}

/** What is over sooner is not worth a write of its own. */
const beginMs = 250;
/** Short beside any model that costs something: what a killed process loses is what it played in this time. */
const gatherMs = 20;
const heldAtMost = 32;

export function createWriter(
  { db, now, written }: { db: Database; now: () => number; written: () => void },
  hold: Hold,
): Writer {
  let waiting: SettledIteration[] = [];
  const begun = new Map<EvalIterationId, Date>();
  let isWriting = false;
  let failure: { error: unknown } | undefined;
  let moved = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;

  const isAnythingLeft = () => waiting.length > 0 || (timer === undefined && begun.size > 0);

  async function write(): Promise<void> {
    if (isWriting) return;
    while (!failure && isAnythingLeft()) {
      isWriting = true;
      await delay(gatherMs);
      try {
        await writeBatch();
        written();
      } catch (error) {
        failure = { error };
      }
      isWriting = false;
      moved.resolve();
      moved = Promise.withResolvers();
    }
  }

  async function writeBatch(): Promise<void> {
    const batch = waiting;
    waiting = [];
    for (const { id } of batch) begun.delete(id);
    const marks = [...begun].map(([id, startedAt]) => ({ id, startedAt }));
    begun.clear();
    const isHeld = await writeIterations(db, hold, batch, marks);
    if (!isHeld) throw new LeaseLost(hold.id);
  }

  async function until(isSo: () => boolean): Promise<void> {
    while (!failure && !isSo()) await moved.promise;
    if (failure) throw failure.error;
  }

  return {
    async settle(iteration) {
      await until(() => waiting.length < heldAtMost);
      waiting.push(iteration);
      void write();
    },
    begin(id) {
      begun.set(id, new Date(now()));
      timer ??= setTimeout(() => {
        timer = undefined;
        void write();
      }, beginMs);
    },
    flush: () => until(() => waiting.length === 0 && !isWriting),
    close: () => clearTimeout(timer),
  };
}
