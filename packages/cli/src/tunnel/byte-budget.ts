/** @module How much of other people's data is held at once, over all requests. */

export interface ByteBudget {
  /** False when there is no room; then nothing was taken. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

export function createByteBudget(most: number): ByteBudget {
  let held = 0;
  return {
    take(bytes) {
      if (held + bytes > most) return false;
      held += bytes;
      return true;
    },
    give(bytes) {
      held -= bytes;
    },
  };
}
