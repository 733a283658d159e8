/** @module The checks of a suite as they are read: what failed first, then what could not run, then the rest, by category. */
import type { ConformanceCase, ConformanceSuiteReport } from "@fettle/contract";

export type CheckState = "failed" | "could-not-run" | "passed" | "not-applicable";

export interface ShownCheck {
  check: ConformanceCase;
  /** Unique within the report: the same check may stand in several groups. */
  key: string;
  groupTitle: string;
  state: CheckState;
  /** Reported, but not scored by its profile. */
  pending: boolean;
}

const order: readonly CheckState[] = ["failed", "could-not-run", "passed", "not-applicable"];

export function checkState({ status, skipReason }: ConformanceCase): CheckState {
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
    .toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
}

export function countStates(checks: readonly ShownCheck[]): Record<CheckState, number> {
  const counts = { failed: 0, "could-not-run": 0, passed: 0, "not-applicable": 0 };
  for (const { state } of checks) counts[state] += 1;
  return counts;
}
