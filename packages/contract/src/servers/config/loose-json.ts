/** @module JSON as the common editors write it: with comments and trailing commas. */

/** Throws a sentence that says where it is wrong. */
export function parseLooseJson(text: string): unknown {
  return JSON.parse(withoutComments(text.replace(/^\uFEFF/, "")));
}

/** What looks like a comment inside a text stays. Line breaks stay too, so that a fault is told by its own line. */
function withoutComments(text: string): string {
  return text
    .replaceAll(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (found, kept?: string) =>
      kept !== undefined ? kept : found.replaceAll(/[^\n]/g, " "),
    )
    .replaceAll(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, (_, kept?: string) => kept ?? " ");
}
