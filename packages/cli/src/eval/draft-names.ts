/** @module What a drafted suite is called, and what stands above it. */

export const suiteComment = [
  "Drafted from the server's tools: a beginning, to be corrected.",
  "Write prompts as your users would, and expect what they need.",
  "Check it with `fettle eval validate`, run it with `fettle eval run`.",
].join("\n");

/** A server's own name as part of a path and of an id: it may say anything, and this is what is left of it. */
export function serverSlug(name: unknown): string {
  const words = typeof name === "string" ? name.replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^-+|-+$/g, "") : "";
  return words.slice(0, 60) || "server";
}
