/** @module Several things at once, but not too many; answers in the order of asking. */

/** @example await limitedMap([3, 1, 2], 2, async (n) => n * 2) // [6, 2, 4] */
export async function limitedMap<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  if (items.length === 1) return [await work(items[0]!)];
  const results: R[] = new Array(items.length);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next++;
      results[at] = await work(items[at]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}
