/** @module Telling what is declared from any other text: the names of a table, the words of a list, the code of an error. */

/**
 * The names of a table that is written out in full. Of a value that may hold more than its type says, use `Object.keys`.
 *
 * @example
 * keysOf({ stdio: 1, http: 2 }); // ("stdio" | "http")[]
 */
export function keysOf<Table extends object>(table: Table): (keyof Table & string)[] {
  // The keys of a literal object are its own type.
  return Object.keys(table) as (keyof Table & string)[];
}

/**
 * Whether a word is one of a table's own names.
 *
 * @example
 * isKeyOf(errorStatus, "constructor"); // false
 */
export function isKeyOf<Table extends object>(table: Table, word: PropertyKey): word is keyof Table {
  return Object.hasOwn(table, word);
}

/**
 * Whether a value is one of a list.
 *
 * @example
 * isOneOf(["fullscreen", "pip"], "inline"); // false
 */
export function isOneOf<const Item>(list: readonly Item[], value: unknown): value is Item {
  const items: readonly unknown[] = list;
  return items.includes(value);
}

/**
 * The code that an error carries: `ENOENT` of a file that is not there. Anything may be thrown, so it may be anything.
 *
 * @example
 * if (codeOf(error) === "ENOENT") return undefined;
 */
export function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
}
