/** @module Chance that can be had again: the same seed gives the same choices. */

export interface Random {
  /** From 0, below one. */
  next(): number;
  /** A whole number from 0, below `most`. */
  below(most: number): number;
  chance(share: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
}

/** Mulberry32: small, quick, and even enough for choosing requests. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (most: number) => Math.floor(next() * most);
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined && items.length === 0) throw new Error("There is nothing to pick from.");
      // Counted just above.
      return item as (typeof items)[number];
    },
  };
}
