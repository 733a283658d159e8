/** @module A finding over time: how many units showed it in each scope, oldest first. Pure. */
import type { Analysis } from "./envelope.ts";

export interface TrendScope {
  scopeId: string;
  at: number;
  analysis: Pick<Analysis, "findings">;
  /** Units that could have shown the signal, where it did not fire; see `Mined.exercised`. */
  exercised?: number | undefined;
}

export interface TrendPoint {
  scopeId: string;
  at: number;
  count: number;
  total: number | null;
  /** Null: nothing was there to show it, which is not the same as none. */
  share: number | null;
}

export function trendOf(findingId: string, scopes: readonly TrendScope[]): TrendPoint[] {
  return scopes
    .map(({ scopeId, at, analysis, exercised }): TrendPoint => {
      const { count, total } = analysis.findings.find(({ id }) => id === findingId)?.affected ?? {
        count: 0,
        total: exercised ?? 0,
      };
      const isKnown = total > 0;
      return { scopeId, at, count, total: isKnown ? total : null, share: isKnown ? count / total : null };
    })
    .sort((one, other) => one.at - other.at || (one.scopeId < other.scopeId ? -1 : 1));
}
