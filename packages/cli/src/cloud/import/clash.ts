/** @module What an import does about a server whose name is taken. */

export const clashChoices = ["skip", "replace", "rename", "fail"] as const;
export type ClashRule = (typeof clashChoices)[number];
