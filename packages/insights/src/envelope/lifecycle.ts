/** @module What becomes of a signal from one scope to the next: new, seen again, gone, back. Pure. */

export const signalStatuses = ["new", "recurring", "regressed", "resolved"] as const;
export type SignalStatus = (typeof signalStatuses)[number];

/** A signal as it stood after the scopes before. */
export interface SignalRow {
  status: SignalStatus;
  occurrenceCount: number;
  /** Units that showed it when it was last seen. */
  lastCount: number;
  firstSeenAt: number;
  lastSeenAt: number;
  resolvedAt: number | null;
}

/** What one scope shows of it. `exercised`: units in which it could have shown. */
export interface Sighting {
  count: number;
  exercised: number;
  at: number;
}

const whenFired: Record<SignalStatus, SignalStatus> = {
  new: "recurring",
  recurring: "recurring",
  regressed: "recurring",
  resolved: "regressed",
};
/** Fewer units than this that stay clean prove nothing. */
const mostNeeded = 5;

/** Undefined: it was never seen, and is not now. Where nobody could have met it, nothing changes. */
export function follow(
  before: SignalRow | undefined,
  { count, exercised, at }: Sighting,
): SignalRow | undefined {
  if (count > 0) {
    if (!before) {
      const seen = { firstSeenAt: at, lastSeenAt: at, resolvedAt: null };
      return { status: "new", occurrenceCount: 1, lastCount: count, ...seen };
    }
    return {
      ...before,
      status: whenFired[before.status],
      occurrenceCount: before.occurrenceCount + 1,
      lastCount: count,
      lastSeenAt: at,
      resolvedAt: null,
    };
  }
  if (!before || before.status === "resolved") return before;
  const isEnough = exercised > 0 && exercised >= Math.min(mostNeeded, before.lastCount);
  return isEnough ? { ...before, status: "resolved", resolvedAt: at } : before;
}
