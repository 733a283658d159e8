/** @module How numbers and sentences are told: one of a thing is no plural, and what others wrote runs into no sentence of ours. */

/** @example counted(1, "tool call") // "1 tool call" */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** @example times(2) // "twice" */
export function times(count: number): string {
  return count === 1 ? "once" : count === 2 ? "twice" : `${count} times`;
}

/** Each part as a sentence of its own: a provider's words often end without a full stop, or with space after it. */
export function sentences(...parts: readonly (string | undefined)[]): string {
  return parts
    .flatMap((part) => part?.trim() || [])
    .map((part, index, all) =>
      index === all.length - 1 || /[.!?…:;]["')\]]*$/.test(part) ? part : `${part}.`,
    )
    .join(" ");
}
