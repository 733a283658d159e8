/** @module Things sorted into groups, none of which is empty: that the first one is there, the type says. */

/** At least one. */
export type Some<Item> = [Item, ...Item[]];

/**
 * `Map.groupBy`, whose groups are arrays that may as well be empty.
 *
 * @example
 * for (const [toolName, [first, ...others]] of groupBy(calls, (call) => call.toolName)) …
 */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Some<Item>> {
  const groups = new Map<Key, Some<Item>>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
