/** @module What follows what. */

/** Each with the one after it. @example neighbors(["a", "b", "c"]) // [["a", "b"], ["b", "c"]] */
export function neighbors<Item>(items: Iterable<Item>): [before: Item, after: Item][] {
  const pairs: [Item, Item][] = [];
  let last: { item: Item } | undefined;
  for (const item of items) {
    if (last) pairs.push([last.item, item]);
    last = { item };
  }
  return pairs;
}
