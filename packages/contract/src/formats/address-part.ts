/**
 * @module Texts in addresses. The language's own functions throw on half of a character and on an escape of nothing, and both come from
 * servers, models and files; these never do. A test keeps the others out.
 */

/** As one part of a path or query; a replacement character stands for half of one. */
export const addressPart = (text: string): string => encodeURIComponent(text.toWellFormed());

/** What it stands for; one that is wrongly escaped is taken as it stands. */
export function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
