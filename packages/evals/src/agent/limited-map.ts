/** @module Several things at once, but not too many; answers in the order of asking. */

/** @example await limitedMap([3, 1, 2], 2, async (n) => n * 2) // [6, 2, 4] */
export async function limitedMap<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  // Workers take from one and the same iterator.
  const waiting = items.entries();
  const worker = async () => {
    for (const [at, item] of waiting) results[at] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}
