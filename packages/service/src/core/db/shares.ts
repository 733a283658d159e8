/**
 * @module Who gets the next connection. A burst of one caller, such as an organization's visitors, may hold a share of the
 * connections and no more, and those who wait are served in turn, caller by caller, not in the order of a queue that one has filled.
 * The share is smaller while there are others: what a burst has PostgreSQL do at once, everybody's queries wait for.
 */
import { AsyncLocalStorage } from "node:async_hooks";

interface Caller {
  /** Undefined: nobody in particular, such as a job. */
  name: string | undefined;
  /** By the organization or the scenario; until then it goes by its credential, which says nothing of whether others are there. */
  isKnown: boolean;
  /** Connections it holds in this request. One who holds one and needs another goes first, or both would wait for ever. */
  held: number;
}

const callers = new AsyncLocalStorage<Caller>();

/** Everything asked of the database in `work` counts for the caller. */
export const asCaller = <T>(name: string | undefined, work: () => T, isKnown = true): T =>
  callers.run({ name, isKnown, held: 0 }, work);

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

interface Waiting {
  caller: Caller;
  go(): void;
}

export interface Shares {
  /**
   * Resolves when the caller may take a connection; what it resolves with gives the place back and says whether the database has
   * answered. Undefined: not within the time, and nobody was served meanwhile. Throws `ConnectionsBusy` when others were.
   */
  enter(withinMs: number): Promise<((hasAnswered: boolean) => void) | undefined>;
}

/** Whoever asked within this time is there. */
const latelyMs = 2_000;

export function createShares(connections: number): Shares {
  const partOf = (parts: number) => Math.max(1, Math.floor(connections / parts));
  /** How many of the connections one caller may hold at once. */
  const share = { alone: partOf(2), besideOthers: partOf(4) };
  const nobody: Caller = { name: undefined, isKnown: false, held: 0 };
  const used = new Map<string, number>();
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
    const isAlone = other.at < performance.now() - latelyMs;
    return (used.get(name) ?? 0) < (isAlone ? share.alone : share.besideOthers);
  }

  function take(caller: Caller): (hasAnswered: boolean) => void {
    const { name } = caller;
    inUse += 1;
    caller.held += 1;
    if (name !== undefined) used.set(name, (used.get(name) ?? 0) + 1);
    let isBack = false;
    return (hasAnswered) => {
      if (isBack) return;
      isBack = true;
      if (hasAnswered) servedAt = performance.now();
      inUse -= 1;
      caller.held -= 1;
      if (name !== undefined) {
        const left = (used.get(name) ?? 1) - 1;
        if (left > 0) used.set(name, left);
        else used.delete(name);
      }
      serve();
    };
  }

  function serve(): void {
    while (inUse < connections) {
      const next = urgent.shift() ?? nextInTurn();
      if (!next) return;
      next.go();
    }
  }

  function nextInTurn(): Waiting | undefined {
    for (const [name, queue] of queues) {
      const [first] = queue;
      if (!first || !hasShare(first.caller)) continue;
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
      note(caller);
      const isUrgent = caller.name !== undefined && caller.held > 0;
      if (inUse < connections && (isUrgent || hasShare(caller))) return Promise.resolve(take(caller));
      const { name } = caller;
      const beganAt = performance.now();
      return new Promise((resolve, reject) => {
        const queue = isUrgent ? urgent : (queues.get(name) ?? []);
        if (!isUrgent) queues.set(name, queue);
        const late = setTimeout(() => {
          leaveQueue(waiting, queue, name);
          if (servedAt >= beganAt) reject(new ConnectionsBusy());
          else resolve(undefined);
        }, withinMs);
        const waiting: Waiting = {
          caller,
          go: () => {
            clearTimeout(late);
            resolve(take(caller));
          },
        };
        queue.push(waiting);
      });
    },
  };
}
