/** @module Writes repetitions as they settle: one statement at a time, so that what settles meanwhile goes into the next one together. */
import type { EvalIterationId } from "@fettle/contract";
import type { Database } from "../db/pool.ts";
import { LeaseLost } from "../jobs/define.ts";
import type { Hold } from "../jobs/store.ts";
import { type SettledIteration, writeIterations } from "./iteration-store.ts";

export interface Writer {
  /** Resolves when it is committed. Throws when the job is no longer ours: somebody else plays it by now. */
  settle(iteration: SettledIteration): Promise<void>;
  /** For those who watch: told with the next write, or after a moment when there is none. */
  begin(id: EvalIterationId): void;
  /** Nothing is written after it. */
  close(): void;
}

interface Waiting {
  iteration: SettledIteration;
  settled: PromiseWithResolvers<void>;
}

/** What is over sooner is not worth a write of its own. */
const beginMs = 250;

export function createWriter(db: Database, hold: Hold, now: () => number): Writer {
  let waiting: Waiting[] = [];
  const begun = new Map<EvalIterationId, Date>();
  let writing = false;
  let timer: NodeJS.Timeout | undefined;

  async function write(): Promise<void> {
    if (writing) return;
    writing = true;
    try {
      while (waiting.length > 0 || (timer === undefined && begun.size > 0)) {
        const batch = waiting;
        waiting = [];
        for (const { iteration } of batch) begun.delete(iteration.id);
        const marks = [...begun].map(([id, startedAt]) => ({ id, startedAt }));
        begun.clear();
        await writeBatch(batch, marks);
      }
    } finally {
      writing = false;
    }
  }

  async function writeBatch(
    batch: Waiting[],
    marks: { id: EvalIterationId; startedAt: Date }[],
  ): Promise<void> {
    try {
      const isHeld = await writeIterations(
        db,
        hold,
        batch.map(({ iteration }) => iteration),
        marks,
      );
      if (!isHeld) throw new LeaseLost(hold.id);
      for (const { settled } of batch) settled.resolve();
    } catch (error) {
      for (const { settled } of batch) settled.reject(error);
    }
  }

  return {
    settle(iteration) {
      const settled = Promise.withResolvers<void>();
      waiting.push({ iteration, settled });
      void write();
      return settled.promise;
    },
    begin(id) {
      begun.set(id, new Date(now()));
      timer ??= setTimeout(() => {
        timer = undefined;
        void write();
      }, beginMs);
    },
    close: () => clearTimeout(timer),
  };
}
