/**
 * @module Collections that stay small whatever comes, and hold the same in whatever order it comes. What is kept is decided by
 * what a thing is, never by when it was seen. Pure.
 */

const byText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** Spreads keys evenly, so that which ones are kept depends on nothing that anybody chose. FNV-1a. */
function spread(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

export interface BoundedMap<T> {
  /** Undefined: there are more than are kept, and it is not among them. */
  at(key: string, make: () => T): T | undefined;
  get(key: string): T | undefined;
  entries(): [string, T][];
  readonly isOverflowing: boolean;
}

/**
 * Keeps the keys with the smallest numbers. One that is let go could only come back if another left, and none of those
 * before it ever does: what is kept to the end was kept from its first sight, and is counted in full.
 */
export function boundedMap<T>(most: number): BoundedMap<T> {
  const kept = new Map<string, { rank: number; value: T }>();
  let isOverflowing = false;
  const isAfter = (rank: number, key: string, other: { rank: number; key: string }) =>
    rank > other.rank || (rank === other.rank && key > other.key);
  let last: { rank: number; key: string } | undefined;
  const findLast = () => {
    let found: { rank: number; key: string } | undefined;
    for (const [key, { rank }] of kept) if (!found || isAfter(rank, key, found)) found = { rank, key };
    return found;
  };
  return {
    at(key, make) {
      const known = kept.get(key);
      if (known) return known.value;
      const rank = spread(key);
      if (kept.size >= most) {
        isOverflowing = true;
        last ??= findLast();
        if (!last || isAfter(rank, key, last)) return undefined;
        kept.delete(last.key);
        last = undefined;
      }
      const value = make();
      kept.set(key, { rank, value });
      return value;
    },
    get: (key) => kept.get(key)?.value,
    entries: () =>
      [...kept]
        .map(([key, { value }]): [string, T] => [key, value])
        .sort(([one], [other]) => byText(one, other)),
    get isOverflowing() {
      return isOverflowing;
    },
  };
}

/** The first few by an order that no two share. */
export interface Firsts<T> {
  add(one: T): void;
  readonly all: readonly T[];
}

export function firsts<T>(most: number, order: (one: T, other: T) => number): Firsts<T> {
  const all: T[] = [];
  return {
    add(one) {
      const last = all[most - 1];
      if (last !== undefined && order(one, last) >= 0) return;
      const at = all.findIndex((other) => order(one, other) < 0);
      // Kept already: adding it twice changes nothing.
      if (all.some((other) => order(one, other) === 0)) return;
      all.splice(at === -1 ? all.length : at, 0, one);
      if (all.length > most) all.pop();
    },
    all,
  };
}

export const firstTexts = (most: number) => firsts<string>(most, byText);
