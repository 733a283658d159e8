/** @module What was typed, quoted in a sentence: on one line, and no longer than it takes to know it again. */

const longest = 80;

/** In double quotes; line breaks and quotes in it are spelled with a backslash. */
export function inQuotes(typed: string): string {
  return JSON.stringify(typed.length > longest ? `${typed.slice(0, longest)}…` : typed);
}
