/** @module What a calibration was begun with, and what it has measured so far. */
import type { SessionFacts } from "@fettle/evals";
import type { FrozenPlace } from "../frozen.ts";

/** A real visitor's session: what it came to, and what a persona needs to know to take its place. */
export interface RecordedSession {
  id: string;
  /** What the visitor came for, in their own words. */
  goal: string;
  /** What else they knew: whatever they said later. */
  notes: string;
  facts: SessionFacts;
}

export interface FrozenCalibration {
  place: FrozenPlace;
  sessions: RecordedSession[];
  /** What "today" is in every session. */
  now: number;
  /** What was estimated: nothing is spent beyond it. Null: a price is unknown. */
  spendLimitUsd: number | null;
}

export interface PlayedAgain {
  id: string;
  /** Null: broken off by something other than the visitor. */
  simulated: SessionFacts | null;
  error: string | null;
}
