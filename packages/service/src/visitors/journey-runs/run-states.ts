/** @module How journey runs and their attempts go from state to state, as data. Pure. */
import { type AttemptState, attemptStates, type JourneyRunStatus } from "@fettle/contract/visitors";

/**
 * No attempt ends that was never taken up, unless a finaliser ends the run around it. Back to pending: its worker stops and hands
 * it over, or has died.
 */
const attemptMoves: Record<
  AttemptState,
  { worker: readonly AttemptState[]; finaliser: readonly AttemptState[] }
> = {
  pending: { worker: ["running"], finaliser: ["failed", "rate_limited"] },
  running: { worker: ["succeeded", "failed", "rate_limited", "pending"], finaliser: ["failed", "pending"] },
  succeeded: { worker: [], finaliser: [] },
  failed: { worker: [], finaliser: [] },
  rate_limited: { worker: [], finaliser: [] },
};

/** The states that lead to one. */
export const comesFrom = (to: AttemptState, by: "worker" | "finaliser"): AttemptState[] =>
  attemptStates.filter((from) => attemptMoves[from][by].includes(to));

/** Once every attempt has settled; undefined while one has not. */
export function settledStatus(
  attempts: readonly AttemptState[],
): Exclude<JourneyRunStatus, "running"> | undefined {
  if (attempts.some((state) => state === "pending" || state === "running")) return undefined;
  const count = (wanted: AttemptState) => attempts.filter((state) => state === wanted).length;
  const succeeded = count("succeeded");
  if (succeeded === attempts.length && succeeded > 0) return "completed";
  if (succeeded > 0) return "partial";
  return count("rate_limited") === attempts.length && attempts.length > 0 ? "rate_limited" : "failed";
}

/** As a run's end is told to who follows it. */
export const endWords = (run: { status: JourneyRunStatus; canceled: boolean }) => ({
  status: run.status,
  displayStatus: displayStatus(run),
});

/** What people are shown: a run that was cancelled is stored as a failed one, and is none. */
export function displayStatus({ status, canceled }: { status: JourneyRunStatus; canceled: boolean }) {
  return canceled ? ("canceled" as const) : status;
}
