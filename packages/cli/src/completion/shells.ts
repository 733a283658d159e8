/** @module The shells that commands can be completed in. */

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];
