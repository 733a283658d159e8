/** @module What happens in a project, told to every page that looks at it, whichever process that page is connected to. */
import { setTimeout as delay } from "node:timers/promises";
import type { Listener } from "../db/listener.ts";
import type { Database, Transaction } from "../db/pool.ts";
import type { Log } from "../log/log.ts";
import {
  eventChannel,
  hasOverflowed,
  insertEvent,
  isComplete,
  newestPosition,
  positionBefore,
  readEvents,
  ringMs,
  ringSize,
  type StoredEvent,
} from "./store.ts";

export interface Events {
  /**
   * Tells everyone who follows the topic. In a transaction it is told when that commits, and not at all when it does not.
   *
   * @example
   * await events.publish(`run:${run.id}`, "changed", { rev: run.revision }, { inTransaction: tx });
   */
  publish(
    topic: string,
    type: string,
    data: Record<string, unknown>,
    options?: { inTransaction?: Transaction },
  ): Promise<void>;
  /** Follows topics until the signal is aborted. Begins with `hello`; see `StreamItem`. */
  subscribe(options: {
    topics: string[];
    /** Where the follower was: the id of the last item it saw. */
    lastEventId?: string | undefined;
    /** Where it has seen none: for how long it has been reading what the topics tell of. */
    openForMs?: number | undefined;
    signal: AbortSignal;
  }): AsyncIterableIterator<StreamItem>;
  /** The position up to which this process has read: whatever led to an event until there is committed. */
  reach(): number;
}

declare module "../app.ts" {
  interface App {
    events: Events;
  }
}

export type StreamItem =
  /** First of all. `isResumed` is false when the follower begins here, with nothing missed because nothing was asked for. */
  | { kind: "hello"; id: string; isResumed: boolean }
  | { kind: "event"; id: string; topic: string; type: string; at: number; data: Record<string, unknown> }
  /** Something may have been missed: fetch everything anew; what follows continues from here. */
  | { kind: "reset"; id: string };

/** Larger things are announced and fetched. */
export const longestEventBytes = 32_768;
const readAtOnce = 500;
/** An event is read at once; those that follow on its heels are read together. A busy project would otherwise slow everyone's calls. */
const paceMs = 200;

interface Follower {
  topics: Set<string>;
  /** The last position that is waiting or was handed over. */
  position: number;
  waiting: StreamItem[];
  wake(): void;
}

export function createEvents({ db, listener, log }: { db: Database; listener: Listener; log: Log }): Events {
  const followers = new Set<Follower>();
  /** The same by what they follow: an event costs those who hear it, not all who listen to something. */
  const followersOf = new Map<string, Set<Follower>>();
  /** How far this process has read; only meaningful while somebody follows. */
  let position = 0;
  let reading: Promise<void> | undefined;
  let isAskedAgain = false;
  let lastReadAt = Number.NEGATIVE_INFINITY;
  let pacing: NodeJS.Timeout | undefined;
  /** After an outage a topic may have had more events than are kept. */
  let mayHaveGap = false;

  listener.listen(eventChannel, {
    notified: (topic) => {
      if (followersOf.has(topic)) readSoon();
    },
    connected: (awayMs) => {
      if (awayMs > ringMs / 2) for (const follower of followers) reset(follower);
      mayHaveGap = true;
      readOn();
    },
  });

  function readSoon(): void {
    const wait = lastReadAt + paceMs - performance.now();
    if (wait <= 0) readOn();
    else pacing ??= setTimeout(readOn, wait).unref();
  }

  /** Reads what is new for all followers at once. Called while reading, it reads once more after. */
  function readOn(): void {
    clearTimeout(pacing);
    pacing = undefined;
    if (followers.size === 0) return;
    isAskedAgain = true;
    lastReadAt = performance.now();
    reading ??= readNew().finally(() => {
      reading = undefined;
    });
  }

  /** So that a new follower is not handed what happened on its topics while nobody here followed them. */
  async function bringUpToDate(): Promise<void> {
    if (followers.size === 0) {
      const newest = await newestPosition(db);
      // Somebody may have come first meanwhile, and what is new since then is theirs to be told.
      if (followers.size === 0) position = newest;
    }
    readOn();
    await reading;
  }

  async function readNew(): Promise<void> {
    while (isAskedAgain && followers.size > 0) {
      isAskedAgain = false;
      try {
        await readBatch();
      } catch (error) {
        log.debug("events cannot be read; trying again", { error });
        isAskedAgain = true;
        await delay(500);
      }
    }
  }

  async function readBatch(): Promise<void> {
    const topics = [...followersOf.keys()];
    const newest = await newestPosition(db);
    if (mayHaveGap && (await hasOverflowed(db, { topics, after: position }))) {
      position = newest;
      for (const follower of followers) reset(follower);
    }
    mayHaveGap = false;
    const found = await readEvents(db, { topics, after: position, limit: readAtOnce });
    for (const event of found)
      for (const follower of followersOf.get(event.topic) ?? []) deliver(follower, event);
    const isAll = found.length < readAtOnce;
    // What committed between the two statements is in `found`, or comes with its own notification.
    position = Math.max(isAll ? newest : 0, found.at(-1)?.position ?? 0, position);
    if (!isAll) isAskedAgain = true;
  }

  function deliver(follower: Follower, event: StoredEvent): void {
    if (event.position <= follower.position) return;
    follower.position = event.position;
    // It does not keep up, and one `reset` costs it less than all it has missed.
    if (follower.waiting.length >= ringSize) reset(follower);
    else follower.waiting.push(asItem(event));
    follower.wake();
  }

  function reset(follower: Follower): void {
    follower.position = Math.max(follower.position, position);
    follower.waiting = [{ kind: "reset", id: String(follower.position) }];
    follower.wake();
  }

  function add(follower: Follower): void {
    followers.add(follower);
    for (const topic of follower.topics)
      followersOf.set(topic, (followersOf.get(topic) ?? new Set()).add(follower));
  }

  function remove(follower: Follower): void {
    followers.delete(follower);
    for (const topic of follower.topics) {
      const others = followersOf.get(topic);
      others?.delete(follower);
      if (others?.size === 0) followersOf.delete(topic);
    }
  }

  async function* follow({
    topics,
    signal,
    ...place
  }: Parameters<Events["subscribe"]>[0]): AsyncGenerator<StreamItem, void, undefined> {
    let wake = () => {};
    const follower: Follower = {
      topics: new Set(topics),
      position: 0,
      waiting: [],
      wake: () => wake(),
    };
    const onAbort = () => wake();
    signal.addEventListener("abort", onAbort);
    try {
      await bringUpToDate();
      add(follower);
      // A read that began before we were among the followers passes over our topics; it must end before we look.
      await reading;
      const seen = yield* begin(topics, place);
      // What came in meanwhile may also have been among what was missed.
      follower.waiting = follower.waiting.filter(({ id }) => Number(id) > seen);
      follower.position = Math.max(follower.position, seen);
      while (!signal.aborted) {
        const items = follower.waiting;
        follower.waiting = [];
        yield* items;
        if (follower.waiting.length > 0 || signal.aborted) continue;
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (follower.waiting.length > 0 || signal.aborted) resolve();
        });
      }
    } finally {
      signal.removeEventListener("abort", onAbort);
      remove(follower);
    }
  }

  /** Says hello, and hands over what was missed or says that it cannot be; returns how far that went. */
  async function* begin(
    topics: string[],
    { lastEventId, openForMs }: Pick<Parameters<Events["subscribe"]>[0], "lastEventId" | "openForMs">,
  ): AsyncGenerator<StreamItem, number> {
    const newest = await newestPosition(db);
    if (lastEventId === undefined && openForMs === undefined) {
      yield { kind: "hello", id: String(newest), isResumed: false };
      return newest;
    }
    const after =
      lastEventId === undefined ? await positionBefore(db, openForMs ?? 0) : parsePosition(lastEventId);
    if (after === undefined || after > newest || !(await isComplete(db, { topics, after }))) {
      yield { kind: "hello", id: String(newest), isResumed: false };
      yield { kind: "reset", id: String(newest) };
      return newest;
    }
    yield { kind: "hello", id: String(after), isResumed: true };
    const missed = await readEvents(db, { topics, after, limit: ringSize });
    yield* missed.map(asItem);
    return missed.at(-1)?.position ?? after;
  }

  return {
    publish: async (topic, type, data, { inTransaction } = {}) => {
      if (!/^[\w:.-]{1,200}$/.test(topic)) throw new RangeError(`not a topic: ${topic}`);
      const size = Buffer.byteLength(JSON.stringify(data));
      if (size > longestEventBytes) {
        throw new RangeError(
          `an event may have ${longestEventBytes} bytes, and this one on ${topic} has ${size}`,
        );
      }
      await insertEvent(inTransaction ?? db, { topic, type, data });
    },
    subscribe: follow,
    reach: () => position,
  };
}

function parsePosition(id: string): number | undefined {
  return /^\d{1,15}$/.test(id) ? Number(id) : undefined;
}

function asItem({ position, topic, type, at, data }: StoredEvent): StreamItem {
  return { kind: "event", id: String(position), topic, type, at: at.getTime(), data };
}
