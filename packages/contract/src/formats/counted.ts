/** @module Numbers with what they count: one is never "1 tools". */

/** "project" to "projects", "entry" to "entries". */
export function pluralOf(noun: string): string {
  return noun.replace(/(?<![aeiou])y$/, "ie").concat("s");
}

/**
 * @example
 * counted(1, "tool"); // "1 tool"
 * counted(3, "tool"); // "3 tools"
 */
export function counted(number: number, singular: string, plural = pluralOf(singular)): string {
  return `${number} ${number === 1 ? singular : plural}`;
}
