/** @module Things in an order that a person changes. */

/** The one at a place goes to another. @example moved(["a", "b", "c"], 0, 2) // ["b", "c", "a"] */
export function moved<Item>(list: readonly Item[], from: number, to: number): Item[] {
  return list.toSpliced(from, 1).toSpliced(to, 0, ...list.slice(from, from + 1));
}
