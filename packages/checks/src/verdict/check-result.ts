/** @module What one check said: the verdict as judged, and the result as reported. */
import type { Finding, Rule } from "./rule.ts";

export type CheckStatus = "passed" | "failed" | "skipped";

/** `not-applicable` leaves nothing unverified; `could-not-run` is an obligation that stays untested. */
export type SkipReason = "not-applicable" | "could-not-run";

/**
 * What a judge says of its observations. `failed` breaks the check's own rule, `warnings` others that stand beside it;
 * whether either fails the run is decided by their words. Evidence is what was on the wire, redacted, small enough to show.
 */
export type Verdict =
  | { is: "passed"; details?: Record<string, unknown>; warnings?: Finding[] }
  | { is: "failed"; why: string; details?: Record<string, unknown>; warnings?: Finding[] }
  | { is: "not-applicable" | "could-not-run"; why: string; details?: Record<string, unknown> };

export interface CheckResult {
  id: string;
  category: string;
  title: string;
  description: string;
  /** The rule it went by; that which was broken, where it failed. Absent where the revision has none. */
  rule?: Omit<Rule, "binds">;
  status: CheckStatus;
  skipReason?: SkipReason;
  /** The server was not there to be judged: its absence is told, and is nobody's verdict. */
  isOutage?: boolean;
  /** Runs and is reported, but its profile does not score it yet. */
  pending?: boolean;
  durationMs: number;
  /** Why it failed, or why it was skipped. */
  error?: { message: string; details?: unknown };
  details?: Record<string, unknown>;
  /** Broken rules that do not decide: advice, each with its word. */
  warnings?: Finding[];
}

/** Advice never changes a verdict; it costs points when the text says SHOULD or MAY. */
export interface Advice {
  id: string;
  title: string;
  severity: "warning";
  rule: Omit<Rule, "binds">;
  message: string;
  details?: Record<string, unknown>;
}

export const passed = (details?: Record<string, unknown>): Extract<Verdict, { is: "passed" }> => ({
  is: "passed",
  ...(details && { details }),
});

export const failed = (
  why: string,
  details?: Record<string, unknown>,
): Extract<Verdict, { is: "failed" }> => ({
  is: "failed",
  why,
  ...(details && { details }),
});

/** Thrown by an observer that finds nothing to look at, as where no tool may be called: what needs it does not apply. */
export class NothingToObserve extends Error {
  override name = "NothingToObserve";
}

export const notApplicable = (why: string): Verdict => ({ is: "not-applicable", why });

export const couldNotRun = (why: string, details?: Record<string, unknown>): Verdict => ({
  is: "could-not-run",
  why,
  ...(details && { details }),
});
