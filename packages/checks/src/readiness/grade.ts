/** @module Grades evidence by the rules of one publisher. Pure: the same evidence and time give the same report, here and at the service. */
import type {
  ReadinessAuthMode,
  ReadinessGrade,
  ReadinessKind,
  ReadinessLane,
  ReadinessStage,
  RunnerCapability,
  SubmissionMode,
} from "@fettle/contract/servers";
import { cut, gate, gradeLanes, type LaneGrade, rollUp } from "./algebra.ts";
import { claudeDirectory } from "./claude/directory.ts";
import type { Directory } from "./directory.ts";
import type { ReadinessEvidence } from "./evidence.ts";
import type { ReadinessBadge, ReadinessFinding } from "./finding.ts";
import { openaiDirectory } from "./openai/directory.ts";
import type { ReadinessRule } from "./rule.ts";

export const directories: Record<ReadinessKind, Directory> = {
  claude: claudeDirectory,
  openai: openaiDirectory,
};

export interface GradedStage {
  stage: ReadinessStage;
  status: ReadinessGrade;
  lanes: ReadinessLane[];
}

/** There is no number of merit in it, and no conformance score takes it in. */
export interface ReadinessReport {
  readinessKind: ReadinessKind;
  serverUrl: string | null;
  submissionMode: SubmissionMode | null;
  overallStatus: ReadinessGrade;
  summary: string;
  lanes: LaneGrade[];
  stages: GradedStage[];
  badges: ReadinessBadge[];
  authMode: ReadinessAuthMode;
  capabilities: RunnerCapability[];
  /** Models observe only when asked, and decide nothing. */
  llmObservations: { status: "not-requested"; reason: "not_requested" };
  policySnapshotDate: string;
  engineVersion: string;
  findings: ReadinessFinding[];
  totalFindings: number;
  returnedFindings: number;
  truncated: boolean;
}

export interface GradingOptions {
  /** ISO 8601. */
  evaluatedAt: string;
  engineVersion: string;
  /** Findings to return; all unless said. */
  limit?: number;
}

/**
 * @example
 * const report = gradeReadiness("claude", evidence, { evaluatedAt: new Date().toISOString(), engineVersion: "0.1.0" });
 * report.overallStatus; // "ready", "not-ready" or "incomplete"
 */
export function gradeReadiness(
  kind: ReadinessKind,
  evidence: ReadinessEvidence,
  options: GradingOptions,
): ReadinessReport {
  const directory = directories[kind];
  const lanes = directory.lanes(evidence);
  const findings = directory.rules
    .filter(({ lane, optIn }) => lanes.includes(lane) && (!optIn || evidence[optIn]?.enabled === true))
    .map((rule) => findingOf(rule, evidence, options));
  const graded = gradeLanes(findings, lanes);
  const stages = directory.stages(evidence).map(({ stage, lanes: needed }) => ({
    stage,
    status: rollUp(graded, needed),
    lanes: [...needed],
  }));
  const overallStatus = stages.at(-1)?.status ?? "incomplete";
  return {
    readinessKind: kind,
    serverUrl: evidence.server?.url ?? null,
    submissionMode: evidence.submissionMode ?? null,
    overallStatus,
    summary: summaryOf(directory, overallStatus, findings),
    lanes: graded,
    stages,
    badges: findings.flatMap(badgeOf),
    authMode: evidence.authMode,
    capabilities: [...evidence.capabilities],
    llmObservations: { status: "not-requested", reason: "not_requested" },
    policySnapshotDate: directory.policySnapshotDate,
    engineVersion: options.engineVersion,
    ...cut(findings, options.limit ?? findings.length),
  };
}

function findingOf(
  { judge, optIn: _optIn, ...rule }: ReadinessRule,
  evidence: ReadinessEvidence,
  { evaluatedAt, engineVersion }: GradingOptions,
): ReadinessFinding {
  const verdict = gate(judge(evidence), rule.requiresCapabilities, evidence.capabilities);
  const isOpen = verdict.is === "not-evaluated";
  return {
    ...rule,
    status: verdict.is,
    ...(isOpen && { notEvaluatedReason: verdict.why, missingInput: verdict.missing }),
    ...(!isOpen && verdict.why !== undefined && { message: verdict.why }),
    ...(verdict.details && { details: verdict.details }),
    evaluatedAt,
    engineVersion,
  };
}

function badgeOf({ id, title, lane, status, details }: ReadinessFinding): ReadinessBadge[] {
  if (lane !== "optional-features") return [];
  const state = status === "informational" ? (details?.state as ReadinessBadge["state"]) : "not-evaluated";
  return [{ id, title, state }];
}

function summaryOf(
  { title }: Directory,
  status: ReadinessGrade,
  findings: readonly ReadinessFinding[],
): string {
  const deciding = findings.filter(({ class: of }) => of === "required" || of === "runtime-blocker");
  const count = (wanted: string) => deciding.filter((finding) => finding.status === wanted).length;
  return `${title}: ${status}. Of what decides, ${count("violated")} violated, ${count("not-evaluated")} not evaluated, ${count("satisfied")} satisfied, ${count("not-applicable")} not applicable.`;
}
