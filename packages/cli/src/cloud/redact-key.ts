/** @module An API key as it may be shown. */

/** Enough to recognise it: the prefix and the last four characters, or no tail when it is short. */
export function redactKey(key: string): string {
  const prefix = key.slice(0, key.indexOf("_") + 1);
  return `${prefix}...${key.length < 8 ? "" : key.slice(-4)}`;
}
