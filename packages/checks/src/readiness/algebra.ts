/** @module From findings to a grade, the same for every publisher. Pure; there is no number in it. */
import {
  type ReadinessGrade,
  type ReadinessLane,
  type RunnerCapability,
  readinessClasses,
  readinessFindingStatuses,
  readinessGrades,
  readinessLanes,
} from "@fettle/contract/servers";
import type { ReadinessFinding } from "./finding.ts";
import type { ReadinessVerdict } from "./rule.ts";

export interface LaneCoverage {
  lane: ReadinessLane;
  evaluated: number;
  notEvaluated: number;
  notApplicable: number;
  /** Sorted, each once. */
  missingInputs: string[];
}

export interface LaneGrade extends LaneCoverage {
  status: ReadinessGrade;
}

type Decided = Pick<ReadinessFinding, "class" | "status">;

const deciding: ReadonlySet<string> = new Set(["runtime-blocker", "required"]);

export function isDeciding(finding: Pick<ReadinessFinding, "class">): boolean {
  return deciding.has(finding.class);
}

/** Nothing that decides was looked at: nothing is known. */
export function gradeOfLane(findings: readonly Decided[]): ReadinessGrade {
  const judged = findings.filter(isDeciding);
  if (judged.some(({ status }) => status === "violated")) return "not-ready";
  if (judged.length === 0 || judged.some(({ status }) => status === "not-evaluated")) return "incomplete";
  return "ready";
}

/** The worst of the lanes that count; one that is missing was not looked at. */
export function rollUp(
  lanes: readonly { lane: ReadinessLane; status: ReadinessGrade }[],
  required: readonly ReadinessLane[],
): ReadinessGrade {
  const grades = required.map((name) => lanes.find(({ lane }) => lane === name)?.status ?? "incomplete");
  return readinessGrades.find((grade) => grades.includes(grade)) ?? "incomplete";
}

export function coverageOf(lane: ReadinessLane, findings: readonly ReadinessFinding[]): LaneCoverage {
  const own = findings.filter((finding) => finding.lane === lane);
  const count = (...statuses: string[]) => own.filter(({ status }) => statuses.includes(status)).length;
  const missing = own.flatMap(({ status, missingInput }) =>
    status === "not-evaluated" && missingInput !== undefined ? [missingInput] : [],
  );
  return {
    lane,
    evaluated: count("satisfied", "violated", "informational"),
    notEvaluated: count("not-evaluated"),
    notApplicable: count("not-applicable"),
    missingInputs: [...new Set(missing)].sort(),
  };
}

export function gradeLanes(
  findings: readonly ReadinessFinding[],
  lanes: readonly ReadinessLane[],
): LaneGrade[] {
  return lanes.map((name) => {
    const { lane, ...coverage } = coverageOf(name, findings);
    const status = gradeOfLane(findings.filter((finding) => finding.lane === name));
    return { lane, status, ...coverage };
  });
}

/** A verdict reached without what it takes is none; it never becomes better by being gated. */
export function gate(
  verdict: ReadinessVerdict,
  needed: readonly RunnerCapability[] | undefined,
  held: readonly RunnerCapability[],
): ReadinessVerdict {
  const lacking = needed?.find((capability) => !held.includes(capability));
  if (lacking === undefined || (verdict.is !== "satisfied" && verdict.is !== "violated")) return verdict;
  return { is: "not-evaluated", missing: lacking, why: `It takes ${lacking}, which this run does not have.` };
}

/** Most consequential first: by class, then status, then lane, then id. A class nobody knows comes last. */
export function ordered(findings: readonly ReadinessFinding[]): ReadinessFinding[] {
  const place = (list: readonly string[], word: string) =>
    list.includes(word) ? list.indexOf(word) : list.length;
  return findings.toSorted(
    (one, other) =>
      place(readinessClasses, one.class) - place(readinessClasses, other.class) ||
      place(readinessFindingStatuses, one.status) - place(readinessFindingStatuses, other.status) ||
      place(readinessLanes, one.lane) - place(readinessLanes, other.lane) ||
      (one.id < other.id ? -1 : one.id > other.id ? 1 : 0),
  );
}

export interface CutFindings {
  findings: ReadinessFinding[];
  totalFindings: number;
  returnedFindings: number;
  truncated: boolean;
}

export function cut(findings: readonly ReadinessFinding[], limit: number): CutFindings {
  const kept = ordered(findings).slice(0, limit);
  return {
    findings: kept,
    totalFindings: findings.length,
    returnedFindings: kept.length,
    truncated: kept.length < findings.length,
  };
}
