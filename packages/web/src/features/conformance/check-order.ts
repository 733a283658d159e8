/** @module The checks of a suite as they are read: what failed first, then what could not run, then advice, then the rest, by category. */
import type { ConformanceCase, ConformanceSuiteReport } from "@fettle/contract/servers";

/** `advised`: it passed, and something beside it could be better. */
export type CheckState = "failed" | "could-not-run" | "advised" | "passed" | "not-applicable";

export interface ShownCheck {
  check: ConformanceCase;
  /** Unique within the report: the same check may stand in several groups. */
  key: string;
  groupTitle: string;
  state: CheckState;
  /** Reported, but not scored by its profile. */
  pending: boolean;
}

export const checkStates: readonly CheckState[] = [
  "failed",
  "could-not-run",
  "advised",
  "passed",
  "not-applicable",
];

export function checkState({ status, skipReason, warnings = [] }: ConformanceCase): CheckState {
  if (status === "passed" && warnings.length > 0) return "advised";
  if (status !== "skipped") return status;
  return skipReason === "not-applicable" ? "not-applicable" : "could-not-run";
}

/**
 * @example
 * shownChecks(report).map(({ check }) => check.id) // the failed ones first
 */
export function shownChecks(report: ConformanceSuiteReport): ShownCheck[] {
  const pendingIds = new Set(report.profile?.pendingCheckIds);
  return report.groups
    .flatMap((group) =>
      group.cases.map((check) => ({
        check,
        key: `${group.id} ${check.id}`,
        groupTitle: group.title,
        state: checkState(check),
        pending: pendingIds.has(check.id),
      })),
    )
    .toSorted((a, b) => checkStates.indexOf(a.state) - checkStates.indexOf(b.state));
}
