/** @module What is held while somebody watches: a server looked at before it is saved, a sign-in that goes on by their clicks. */
import { KiB, second } from "../core/limits/units.ts";

export const watchedLimits = {
  /** How long a server is asked what it is called, while somebody waits to save it. */
  lookMs: 5 * second,
  /** How far one click takes a sign-in, and how long each of its steps may last. */
  walkMs: 60 * second,
  stepMs: 20 * second,
  /** How much of each step is kept. */
  recording: { entries: 20, bytes: 256 * KiB, textBytes: 64 * KiB },
} as const;
