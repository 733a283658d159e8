/** @module Words as one would type them in a shell, so that a suggested command can be pasted. */

const plain = /^[A-Za-z0-9_@%+=:,./<>-]+$/;

export function shellWords(words: readonly string[]): string {
  return words.map(quoted).join(" ");
}

function quoted(word: string): string {
  // A placeholder such as <token> is meant to be replaced; quoting would hide that.
  if (plain.test(word) && (!/[<>]/.test(word) || /^<[a-z-]+>$/.test(word))) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
