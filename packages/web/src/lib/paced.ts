/** @module Does something at once, and when asked again soon after, gathers what is wanted and does it once the pause is over. */

/**
 * @example
 * const refresh = paced(2_000, (names: readonly string[]) => read(names));
 * refresh(["a"]); // at once
 * refresh(["b"]); refresh(["b", "c"]); // two seconds later: b and c
 */
export function paced<Item>(
  pauseMs: number,
  act: (items: readonly Item[]) => void,
): (items: readonly Item[]) => void {
  let pausing = false;
  let waiting = new Set<Item>();
  const go = () => {
    const items = [...waiting];
    waiting = new Set();
    pausing = items.length > 0;
    if (!pausing) return;
    act(items);
    setTimeout(go, pauseMs);
  };
  return (items) => {
    for (const item of items) waiting.add(item);
    if (!pausing) go();
  };
}
