/** @module A rule of a publisher is data and a pure judge over the evidence; what a judge says becomes a finding. */
import type {
  BadgeState,
  ReadinessClass,
  ReadinessFindingStatus,
  ReadinessIntrusiveness,
  ReadinessLane,
  ReadinessProvenance,
  RunnerCapability,
} from "@fettle/contract/servers";
import { readinessLimits } from "@fettle/contract/servers";
import type { ReadinessEvidence, ReadinessInput } from "./evidence.ts";

/** Where a publisher says it. `revision` is the page's own; null where it has none. `snapshotDate`: when it was read. */
export interface RuleSource {
  page: string;
  section: string;
  url: string;
  revision: string | null;
  snapshotDate: string;
  /** Another page of the publisher that says something else: such a rule never decides. */
  disagreeing?: { page: string; url: string; snapshotDate: string; says: string };
}

export interface ReadinessRule {
  id: string;
  title: string;
  lane: ReadinessLane;
  class: ReadinessClass;
  remediation?: string;
  source: RuleSource;
  provenance: ReadinessProvenance;
  intrusiveness: ReadinessIntrusiveness;
  /** Whoever gathers the evidence must be able to do this, or the verdict is worth nothing. */
  requiresCapabilities?: readonly RunnerCapability[];
  /** Checks of a conformance suite whose verdict it takes over. */
  derivedFrom?: readonly string[];
  /** Not part of a run unless somebody asked for it by name. */
  optIn?: "intrusive";
  judge(evidence: ReadinessEvidence): ReadinessVerdict;
}

/** `missing`: the input without which nobody can say. */
export type ReadinessVerdict =
  | { is: Exclude<ReadinessFindingStatus, "not-evaluated">; why?: string; details?: Record<string, unknown> }
  | { is: "not-evaluated"; why: string; missing: ReadinessInput; details?: Record<string, unknown> };

export const satisfied = (details?: Record<string, unknown>): ReadinessVerdict => ({
  is: "satisfied",
  ...(details && { details }),
});

export const violated = (why: string, details?: Record<string, unknown>): ReadinessVerdict => ({
  is: "violated",
  why,
  ...(details && { details }),
});

export const notEvaluated = (missing: ReadinessInput, why: string): ReadinessVerdict => ({
  is: "not-evaluated",
  missing,
  why,
});

export const notApplicable = (why: string): ReadinessVerdict => ({ is: "not-applicable", why });

export const informational = (why: string, details?: Record<string, unknown>): ReadinessVerdict => ({
  is: "informational",
  why,
  ...(details && { details }),
});

/** A feature that nobody has to have: never a defect. */
export const badge = (state: BadgeState, why: string): ReadinessVerdict => informational(why, { state });

/** All faults at once, each once: someone mends them in one go. */
export function verdictOf(found: readonly string[], details?: Record<string, unknown>): ReadinessVerdict {
  const faults = [...new Set(found)];
  const [first, ...rest] = faults;
  if (first === undefined) return satisfied(details);
  const why = rest.length === 0 ? first : `${first} And ${rest.length} more.`;
  const shown = faults.slice(0, readinessLimits.shownFaults);
  return violated(why, { ...details, faults: shown, count: faults.length });
}
