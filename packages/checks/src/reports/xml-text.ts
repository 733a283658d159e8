/** @module Any text as XML 1.0: escaped, and with what XML cannot hold spelled out. */
import { escapeHidden } from "@fettle/contract/formats";

export function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

export function attribute(text: string): string {
  return escaped(text).replaceAll('"', "&quot;").replaceAll("\n", "&#10;");
}

export function escaped(text: string): string {
  return visible(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\r", "&#13;");
}

/**
 * What XML 1.0 cannot hold in any form (most controls, halves of surrogate pairs) and what a terminal would act on or a reader
 * not see are spelled `\uXXXX`: CI shows them, and prints them unharmed.
 */
function visible(text: string): string {
  return text
    .split("\r")
    .map(escapeHidden)
    .join("\r")
    .replace(/[\ufffe\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
}
