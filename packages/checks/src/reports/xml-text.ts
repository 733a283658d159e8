/** @module Any text as XML 1.0: escaped, and with what XML cannot hold spelled out. */

export function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

export function attribute(text: string): string {
  return escaped(text).replaceAll('"', "&quot;").replaceAll("\n", "&#10;");
}

export function escaped(text: string): string {
  return visible(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** What XML 1.0 cannot hold in any form, and halves of surrogate pairs, are spelled out. */
function visible(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
