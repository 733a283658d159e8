/** @module A run as it is told. */
import {
  type EvalRun,
  type EvalRunDetail,
  type EvalRunModel,
  type GateWaiver,
  whoseModel,
} from "@fettle/contract/evals";
import type { Progress } from "./iteration-store.ts";
import type { RunRow } from "./store.ts";

/** The run's page. */
export function pageOfRun(
  origin: string,
  { projectId, suiteId, id }: Pick<RunRow, "projectId" | "suiteId" | "id">,
): string {
  return `${origin}/evals/suite/${suiteId}/runs/${id}?project=${projectId}`;
}

/** As it was at the launch, whatever became of it. */
export function environmentOf(run: RunRow): EvalRun["environment"] {
  const { environmentId, environmentName, environmentRevision } = run;
  return environmentId === null || environmentRevision === null
    ? null
    : { id: environmentId, name: environmentName, revision: environmentRevision };
}

/** Which model answers, and who named it. */
export function modelOf(run: RunRow): EvalRunModel {
  const { model: id, modelSource: source, target } = run;
  return { id, source, from: whoseModel({ modelSource: source, target }) };
}

/** What is read beside a run's row. */
export interface Beside {
  progress: Progress | undefined;
  waiver: GateWaiver | null;
  origin: string;
}

export function toRun(run: RunRow, { progress, waiver, origin }: Beside): EvalRun {
  const { summary, createdAt, startedAt, completedAt } = run;
  return {
    id: run.id,
    projectId: run.projectId,
    suiteId: run.suiteId,
    suiteName: run.suiteName,
    ...(run.declaredSuiteId !== null && { declaredSuiteId: run.declaredSuiteId }),
    runNumber: run.runNumber,
    ...((run.groupId ?? run.groupLabel) !== null && { runGroupId: run.groupId ?? run.groupLabel ?? "" }),
    status: run.status,
    result: run.result,
    reasons: run.reasons,
    stopReason: run.stopReason,
    error: run.error,
    progress: progress ?? ended(run),
    summary,
    passCriteria: { minimumPassRate: run.minimumPassRate },
    source: run.source,
    notes: run.notes,
    target: run.target,
    environment: environmentOf(run),
    effectiveModelId: run.model,
    modelSource: run.modelSource,
    modelClass: run.modelClass,
    repetitionsCollapsed: run.repetitionsCollapsed,
    isPartial: run.isPartial,
    executionEngine: run.externalRunId === null ? "emulated" : `harness:${run.framework ?? "sdk"}`,
    scoreIntegrity: run.scoreIntegrity,
    totalTokens: run.totalTokens,
    costUsd: run.costUsd,
    durationMs: completedAt === null ? null : completedAt.getTime() - (startedAt ?? createdAt).getTime(),
    ...(run.ci && { ci: run.ci }),
    ...(run.launcher && { launcher: run.launcher }),
    attribution: {
      surface: run.surface,
      ...(run.createdBy !== null && { userId: run.createdBy }),
      ...(run.apiKeyId !== null && { apiKeyId: run.apiKeyId }),
    },
    ...(run.approvals && { approvals: run.approvals }),
    gateWaiver: waiver,
    createdAt: createdAt.getTime(),
    startedAt: startedAt?.getTime() ?? null,
    completedAt: completedAt?.getTime() ?? null,
    viewUrl: pageOfRun(origin, run),
  };
}

/** Of a run that has ended, whose summary says it. */
function ended({ planned, summary }: RunRow): Progress {
  return {
    total: planned,
    settled: planned,
    passed: summary?.passed ?? 0,
    failed: summary?.failed ?? 0,
  };
}

/** A judge that nobody asked for is told too: its status is null. */
const neverAsked = {
  status: null,
  errorCode: null,
  summary: null,
  generatedAt: null,
  modelUsed: null,
  threshold: null,
  cases: [],
};

export function toRunDetail(
  run: RunRow,
  { reported, ...beside }: Beside & { reported: EvalRunDetail["reported"] },
): EvalRunDetail {
  return {
    ...toRun(run, beside),
    judges: { goalCompletion: neverAsked, groundedness: neverAsked, ...run.judges },
    ...(run.importEligibility && { importEligibility: run.importEligibility }),
    toolSurfaceDrift: run.toolSurfaceDrift,
    warnings: run.warnings,
    ...(reported && { reported }),
  };
}
