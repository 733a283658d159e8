/** @module Sizes for people, and how large something encoded really is. */

/**
 * @example
 * sizeText(1536) // "1.5 KB"
 */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  const kilobytes = Number((bytes / 1024).toFixed(1));
  return kilobytes < 1024 ? `${kilobytes} KB` : `${Number((bytes / 1_048_576).toFixed(1))} MB`;
}

/** How many bytes a base64 text stands for. */
export function base64Size(text: string): number {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return Math.max(0, Math.floor((text.length * 3) / 4) - padding);
}
