/**
 * @module Who gets the next connection. A burst of one caller, such as an organization's visitors, may hold a share of the
 * connections and no more, and those who wait are served in turn, caller by caller, not in the order of a queue that one has filled.
 * The share is smaller while there are others: what a burst has PostgreSQL do at once, everybody's queries wait for.
 *
 * A transaction that asks for another connection while it holds its own must not wait for those that wait for it. So each may have one
 * more at a time, before everybody else: within the share, or as the one connection that its caller may hold beyond it. The last
 * connections are never given to a caller who holds none, and the very last only to one who holds two.
 */
import { AsyncLocalStorage } from "node:async_hooks";

interface Caller {
  /** Undefined: nobody in particular, such as a job. */
  name: string | undefined;
  /** By the organization or the scenario; until then it goes by its credential, which says nothing of whether others are there. */
  isKnown: boolean;
}

const callers = new AsyncLocalStorage<Caller>();

/** Everything asked of the database in `work` counts for the caller. */
export const asCaller = <T>(name: string | undefined, work: () => T, isKnown = true): T =>
  callers.run({ name, isKnown }, work);

/** The same from here on, once it is known better who it is. */
export function nameCaller(name: string): void {
  const caller = callers.getStore();
  if (!caller) return;
  caller.name = name;
  caller.isKnown = true;
}

/** All connections are in use, and others are being served: the service is busy, its database is not down. */
export class ConnectionsBusy extends Error {
  constructor() {
    super("All database connections are in use.");
    this.name = "ConnectionsBusy";
  }
}

/** A connection in use. */
interface Held {
  /** Given back: whatever still runs in it holds nothing. */
  isBack: boolean;
  /** Beyond the caller's share, or inside one that is. */
  isBeyond: boolean;
  /** 1: nothing was held when it was asked for. */
  depth: number;
  /** Connections that were asked for inside of it. */
  inside: number;
}

/** The connection that the code at hand waits with, if any. */
const holding = new AsyncLocalStorage<Held>();

interface Waiting {
  caller: Caller;
  around: Held | undefined;
  go(): void;
}

/** What `enter` gives. */
export interface Place {
  /** Gives it back, and says whether the database has answered. */
  leave(hasAnswered: boolean): void;
  /** Whatever `work` asks of the database is asked while this place is held. */
  inside<T>(work: () => T): T;
}

export interface Shares {
  /**
   * Resolves when the caller may take a connection. Undefined: not within the time, and nobody was served meanwhile. Throws
   * `ConnectionsBusy` when others were.
   */
  enter(withinMs: number): Promise<Place | undefined>;
}

/** Whoever asked within this time is there. */
const recentMs = 2_000;

export function createShares(connections: number): Shares {
  const partOf = (parts: number) => Math.max(1, Math.floor(connections / parts));
  /** How many of the connections one caller may hold at once. */
  const share = { alone: partOf(2), besideOthers: partOf(4) };
  /** Kept for those who hold some: small pools have little to spare. */
  const reserve = connections >= 8 ? 2 : connections > 3 ? 1 : 0;
  const kept = ({ name }: Caller, depth: number) =>
    name === undefined ? 0 : Math.max(0, reserve + 1 - depth);
  const hasRoom = (caller: Caller, depth: number) => inUse < connections - kept(caller, depth);
  const nobody: Caller = { name: undefined, isKnown: false };
  const used = new Map<string, { count: number; beyond: number }>();
  /** In turn: who was served goes to the end. */
  const queues = new Map<string | undefined, Waiting[]>();
  const urgent: Waiting[] = [];
  let inUse = 0;
  let servedAt = Number.NEGATIVE_INFINITY;
  /** The last two of different names who asked. */
  let latest = { name: "", at: Number.NEGATIVE_INFINITY };
  let before = latest;

  function note({ name, isKnown }: Caller): void {
    if (name === undefined || !isKnown) return;
    if (latest.name !== name) before = latest;
    latest = { name, at: performance.now() };
  }

  function hasShare({ name }: Caller): boolean {
    if (name === undefined) return true;
    const other = latest.name === name ? before : latest;
    const isAlone = other.at < performance.now() - recentMs;
    return (used.get(name)?.count ?? 0) < (isAlone ? share.alone : share.besideOthers);
  }

  function mayEnter(caller: Caller, around: Held | undefined): boolean {
    if (!hasRoom(caller, around ? around.depth + 1 : 1)) return false;
    // Jobs are few, and bounded elsewhere.
    if (caller.name === undefined) return true;
    if (!around) return hasShare(caller);
    if (around.inside > 0) return false;
    const isFirstBeyond = used.get(caller.name)?.beyond === 0;
    return hasShare(caller) || isFirstBeyond || around.isBeyond;
  }

  function take(caller: Caller, around: Held | undefined): Place {
    const { name } = caller;
    const isBeyond = around !== undefined && (around.isBeyond || !hasShare(caller));
    const held: Held = { isBack: false, isBeyond, depth: (around?.depth ?? 0) + 1, inside: 0 };
    inUse += 1;
    if (around) around.inside += 1;
    const counted = name === undefined ? undefined : (used.get(name) ?? { count: 0, beyond: 0 });
    if (name !== undefined && counted) {
      counted.count += 1;
      if (isBeyond) counted.beyond += 1;
      used.set(name, counted);
    }
    return {
      leave(hasAnswered) {
        if (held.isBack) return;
        held.isBack = true;
        if (hasAnswered) servedAt = performance.now();
        inUse -= 1;
        if (around) around.inside -= 1;
        if (name !== undefined && counted) {
          counted.count -= 1;
          if (isBeyond) counted.beyond -= 1;
          if (counted.count === 0) used.delete(name);
        }
        serve();
      },
      inside: (work) => holding.run(held, work),
    };
  }

  function serve(): void {
    while (inUse < connections) {
      const next = nextUrgent() ?? nextInTurn();
      if (!next) return;
      next.go();
    }
  }

  function nextUrgent(): Waiting | undefined {
    const place = urgent.findIndex(({ caller, around }) => mayEnter(caller, around));
    return place < 0 ? undefined : urgent.splice(place, 1)[0];
  }

  function nextInTurn(): Waiting | undefined {
    for (const [name, queue] of queues) {
      const [first] = queue;
      if (!first || !mayEnter(first.caller, undefined)) continue;
      queue.shift();
      queues.delete(name);
      if (queue.length > 0) queues.set(name, queue);
      return first;
    }
    return undefined;
  }

  function leaveQueue(waiting: Waiting, queue: Waiting[], name: string | undefined): void {
    const place = queue.indexOf(waiting);
    if (place >= 0) queue.splice(place, 1);
    if (queue.length === 0 && queue !== urgent) queues.delete(name);
  }

  return {
    enter(withinMs) {
      const caller = callers.getStore() ?? nobody;
      const held = holding.getStore();
      const around = held?.isBack ? undefined : held;
      note(caller);
      if (mayEnter(caller, around)) return Promise.resolve(take(caller, around));
      const { name } = caller;
      const beganAt = performance.now();
      return new Promise((resolve, reject) => {
        const queue = around ? urgent : (queues.get(name) ?? []);
        if (!around) queues.set(name, queue);
        const late = setTimeout(() => {
          leaveQueue(waiting, queue, name);
          if (servedAt >= beganAt) reject(new ConnectionsBusy());
          else resolve(undefined);
        }, withinMs);
        const waiting: Waiting = {
          caller,
          around,
          go: () => {
            clearTimeout(late);
            resolve(take(caller, around));
          },
        };
        queue.push(waiting);
      });
    },
  };
}
