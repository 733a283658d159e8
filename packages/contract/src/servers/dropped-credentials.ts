/** @module What a server that moves leaves behind, and how people are told. Apart from the resources: pages use it without their schemas. */

export const droppedCredentials = ["headers", "clientSecret", "env", "tokens"] as const;
export type DroppedCredential = (typeof droppedCredentials)[number];

const words: Record<DroppedCredential, string> = {
  headers: "its headers",
  clientSecret: "its client secret",
  env: "its environment variables",
  tokens: "everybody's sign-in to it",
};

/** One sentence for people; undefined when nothing was dropped. */
export function droppedNotice(dropped: readonly DroppedCredential[] = []): string | undefined {
  if (dropped.length === 0) return undefined;
  return `The server has moved, so ${namesOfDropped(dropped)} did not go along. Enter again what the new place needs.`;
}

/** "its headers, its client secret and everybody's sign-in to it". */
export function namesOfDropped(dropped: readonly DroppedCredential[]): string {
  const named = dropped.map((kind) => words[kind]);
  return named.length < 2 ? named.join("") : `${named.slice(0, -1).join(", ")} and ${named.at(-1)}`;
}
