/** @module Outcome and score of a run: any failure fails it, any unmet obligation leaves it incomplete, advice costs at most five points. */
import { keysOf } from "@fettle/contract/core";
import type { RuleWord } from "@fettle/contract/servers";
import type { CheckStatus, SkipReason } from "./check-result.ts";

export type Outcome = "passed" | "failed" | "incomplete";

export interface Counts {
  passed: number;
  failed: number;
  couldNotRun: number;
  notApplicable: number;
  pending: number;
}

export interface Score extends Counts {
  /** 0 to 100, or null when nothing was judged. */
  score: number | null;
  outcome: Outcome;
  /** Passed, failed and could not run. */
  applicable: number;
  /** Those without a tier cost nothing. */
  advisories: { id: string; tier?: "should" | "may" }[];
  advicePointsLost: number;
  protocolVersion?: string;
}

export interface Countable {
  status: CheckStatus;
  skipReason?: SkipReason;
  pending?: boolean;
}

export function countOf(results: readonly Countable[]): Counts {
  const counts: Counts = { passed: 0, failed: 0, couldNotRun: 0, notApplicable: 0, pending: 0 };
  for (const result of results) counts[slotOf(result)] += 1;
  return counts;
}

function slotOf({ status, skipReason, pending }: Countable): keyof Counts {
  if (pending) return "pending";
  if (status !== "skipped") return status;
  return skipReason === "not-applicable" ? "notApplicable" : "couldNotRun";
}

/** Every check was asked for, and none was about this server. */
export function isNothingToTest({ passed, failed, couldNotRun, notApplicable }: Counts): boolean {
  return notApplicable > 0 && passed + failed + couldNotRun === 0;
}

/** Nothing selected is incomplete: nothing was proven. */
export function outcomeOf({ passed, failed, couldNotRun, notApplicable }: Counts): Outcome {
  if (failed > 0) return "failed";
  return couldNotRun > 0 || passed + notApplicable === 0 ? "incomplete" : "passed";
}

const adviceBudget = 5;
const adviceCost = { should: 2, may: 1 } as const;

export function scoreOf(
  counts: Counts,
  advisories: Score["advisories"],
  { protocolVersion, hasOutage = false }: { protocolVersion?: string; hasOutage?: boolean } = {},
): Score {
  const outcome = outcomeOf(counts);
  const applicable = counts.passed + counts.failed + counts.couldNotRun;
  const advicePointsLost = Math.min(
    adviceBudget,
    advisories.reduce((sum, { tier }) => sum + (tier ? adviceCost[tier] : 0), 0),
  );
  const plain = Math.round((95 * counts.passed) / applicable + adviceBudget - advicePointsLost);
  const earned = outcome === "passed" ? plain : Math.min(plain, 94);
  return {
    score: hasOutage || counts.passed + counts.failed === 0 ? null : earned,
    outcome,
    applicable,
    ...counts,
    advisories,
    advicePointsLost,
    ...(protocolVersion !== undefined && { protocolVersion }),
  };
}

/** What a finding costs: the words that advise have a tier; what no text says costs nothing. */
export function tierOf(word: RuleWord): Score["advisories"][number]["tier"] | undefined {
  if (word === "MAY") return "may";
  return word === "contract" || word === "inferred" ? undefined : "should";
}

/** One score of several parts: their counts are summed and judged again, never averaged. */
export function pooledConformanceScore(parts: readonly Score[]): Score {
  const total: Counts = { passed: 0, failed: 0, couldNotRun: 0, notApplicable: 0, pending: 0 };
  for (const part of parts) {
    for (const key of keysOf(total)) total[key] += part[key];
  }
  const versions = new Set(
    parts.filter(({ applicable }) => applicable > 0).map(({ protocolVersion }) => protocolVersion),
  );
  const [only] = versions;
  const pooled = scoreOf(
    total,
    parts.flatMap(({ advisories }) => advisories),
    {
      ...(versions.size === 1 && only !== undefined && { protocolVersion: only }),
      // Where something was judged and yet not scored, the server had gone away.
      hasOutage: parts.some(({ score, passed, failed }) => score === null && passed + failed > 0),
    },
  );
  return pooled;
}
