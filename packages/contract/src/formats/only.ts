/** @module The one thing that a list is about, where it is about one. */

/** Undefined where there is none, or more than one. @example only(projects.filter(({ name }) => name === typed)) */
export function only<Item>(items: readonly Item[]): Item | undefined {
  return items.length === 1 ? items[0] : undefined;
}
