/**
 * @module Entries that wait to be written: after the answer, all that wait at once, at most one statement at a time. A database that is
 * away for a moment is tried again; a full queue makes calls wait. What is given up is logged.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { outageOf } from "../../core/db/outage.ts";
import type { Log } from "../../core/log/log.ts";

export interface QueueLimits {
  /** Kept in memory at once. */
  entries: number;
  characters: number;
  /** Written by one statement. */
  batchEntries: number;
  batchCharacters: number;
  /** How long a call waits for room, and a stop for the database. */
  patienceMs: number;
}

export const queueLimits: QueueLimits = {
  entries: 1_000,
  characters: 16 * 1024 * 1024,
  batchEntries: 100,
  batchCharacters: 1024 * 1024,
  patienceMs: 10_000,
};

export interface WriteQueue<Entry> {
  /** `complete` is asked for the entry once the answer is out. Waits only while the queue is full. */
  add(complete: () => Entry): Promise<void>;
  /** Resolves when all that were added before have been written, or were tried and could not be. */
  settle(): Promise<void>;
  /** Writes what waits, and from then on takes nothing. */
  close(): Promise<void>;
}

/** Pauses between two tries. */
const pausesMs = { first: 200, most: 5_000 };

const message = {
  lost: "what was done with a server could not be written down",
  away: "server history waits for the database",
  back: "server history is being written again",
};

/**
 * @example
 * const queue = createWriteQueue({ write: (entries) => insertEntries(pool, entries), sizeOf, log });
 * await queue.add(() => entryOf(call));
 */
export function createWriteQueue<Entry>({
  write,
  sizeOf,
  log,
  limits = queueLimits,
}: {
  /** Writes all or none; again, it changes nothing. */
  write(entries: Entry[]): Promise<void>;
  /** In characters. */
  sizeOf(entry: Entry): number;
  log: Log;
  limits?: QueueLimits;
}): WriteQueue<Entry> {
  /** Added since the last turn of the event loop. */
  let fresh: (() => Entry)[] = [];
  const waiting: { entry: Entry; size: number }[] = [];
  /** Of those that are complete, the ones under way included. */
  let held = { entries: 0, characters: 0 };
  /** How many have been completed, and how many of them were written or given up. */
  const count = { completed: 0, done: 0 };
  let completing: NodeJS.Immediate | undefined;
  let running: Promise<boolean> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let pauseMs = 0;
  let closed = false;
  let room = Promise.withResolvers<void>();
  // What a caller holds or may have must not become the writer's: it works for all of them.
  const outside = AsyncLocalStorage.snapshot();

  const isFull = () => fresh.length + held.entries >= limits.entries || held.characters >= limits.characters;

  function complete(): void {
    clearImmediate(completing);
    completing = undefined;
    const added = fresh;
    fresh = [];
    for (const each of added) {
      try {
        const entry = each();
        const size = sizeOf(entry);
        waiting.push({ entry, size });
        held = { entries: held.entries + 1, characters: held.characters + size };
        count.completed += 1;
      } catch (error) {
        log.warn(message.lost, { error });
      }
    }
  }

  function takeBatch(): typeof waiting {
    let characters = 0;
    let entries = 0;
    while (entries < limits.batchEntries && entries < waiting.length) {
      characters += waiting[entries]?.size ?? 0;
      if (entries > 0 && characters > limits.batchCharacters) break;
      entries += 1;
    }
    return waiting.splice(0, entries);
  }

  function release(batch: typeof waiting): void {
    for (const { size } of batch) {
      held = { entries: held.entries - 1, characters: held.characters - size };
    }
    count.done += batch.length;
    room.resolve();
    room = Promise.withResolvers();
  }

  /** Whether the database took it; what it refuses for its own sake is given up, and nothing else with it. */
  async function writeBatch(batch: typeof waiting): Promise<boolean> {
    try {
      await write(batch.map(({ entry }) => entry));
    } catch (error) {
      if (outageOf(error)) {
        waiting.unshift(...batch);
        noteOutage(error);
        return false;
      }
      if (batch.length > 1) {
        for (const [index, one] of batch.entries()) {
          if (await writeBatch([one])) continue;
          // The one that was tried stands first again.
          waiting.splice(1, 0, ...batch.slice(index + 1));
          return false;
        }
        return true;
      }
      log.warn(message.lost, { error });
    }
    release(batch);
    return true;
  }

  function noteOutage(error: unknown): void {
    if (pauseMs === 0) log.warn(message.away, { error, waiting: waiting.length });
    pauseMs = Math.min(Math.max(pausesMs.first, pauseMs * 2), pausesMs.most);
  }

  /** One at a time: whoever comes while it runs waits for it, and asks again. */
  function writeSome(): Promise<boolean> {
    running ??= outside(async () => {
      clearTimeout(retry);
      const isWritten = await writeBatch(takeBatch());
      running = undefined;
      if (!isWritten) {
        retry = setTimeout(() => void writeSome(), pauseMs).unref();
      } else {
        if (pauseMs > 0) log.info(message.back, { waiting: waiting.length });
        pauseMs = 0;
        if (waiting.length > 0) void writeSome();
      }
      return isWritten;
    });
    return running;
  }

  function completeAndWrite(): void {
    complete();
    if (waiting.length > 0 && pauseMs === 0) void writeSome();
  }

  return {
    async add(each) {
      const late = isFull() && delay(limits.patienceMs, "late" as const, { ref: false });
      while (late && isFull()) if ((await Promise.race([late, room.promise])) === "late") break;
      if (closed || isFull()) {
        log.warn(message.lost, { reason: closed ? "the service has stopped" : "too many entries wait" });
        return;
      }
      fresh.push(each);
      completing ??= setImmediate(completeAndWrite);
    },
    async settle() {
      complete();
      const last = count.completed;
      while (count.done < last) if (!(await writeSome())) return;
    },
    async close() {
      closed = true;
      complete();
      const deadline = performance.now() + limits.patienceMs;
      while (waiting.length > 0 || running) {
        if (await writeSome()) continue;
        if (performance.now() > deadline) break;
        await delay(pauseMs);
      }
      clearTimeout(retry);
      if (waiting.length > 0)
        log.error(message.lost, { reason: "the service stops", entries: waiting.length });
    },
  };
}
