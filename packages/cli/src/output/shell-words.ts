/** @module Words as one would type them in a shell, so that a suggested command can be pasted. */

/** As it is, or with a variable for the part that is not printed: `Name:` and `Bearer $TOKEN`. */
export type ShellWord = string | { start: string; inQuotes: string; variable: string };

const plain = /^[A-Za-z0-9_@%+=:,./<>-]+$/;

export function shellWords(words: readonly ShellWord[]): string {
  return words.map(written).join(" ");
}

function written(word: ShellWord): string {
  if (typeof word === "string") return quoted(word);
  const { start, inQuotes, variable } = word;
  const before = inQuotes.replaceAll(/["\\$`]/g, "\\$&");
  return `${start === "" ? "" : quoted(start)}"${before}$${variable}"`;
}

function quoted(word: string): string {
  // A placeholder such as <token> is meant to be replaced; quoting would hide that.
  if (plain.test(word) && (!/[<>]/.test(word) || /^<[a-z-]+>$/.test(word))) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
