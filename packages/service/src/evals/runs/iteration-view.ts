/** @module A repetition as it is told: its line in the list, its trace, its steps. */

import type {
  EvalIteration,
  EvalIterationStep,
  EvalIterationTrace,
  StepStatus,
} from "@fettle/contract/evals";
import {
  type CasePlan,
  evaluationConfigHash,
  expectationsOf,
  type IterationGrade,
  matchPrompts,
  planOf,
  type StepResult,
  type Trace,
} from "@fettle/evals";
import { missing } from "../../core/routing/not-found.ts";
import type { ReportedTrace } from "../../core/tables/eval-runs.ts";
import type { FrozenCase } from "./frozen.ts";
import type { IterationRow } from "./iteration-store.ts";

/** What a case was judged by; worked out once for all its repetitions on a page. */
export interface CaseView {
  expectedToolCalls: EvalIteration["expectedToolCalls"];
  evaluationConfig: NonNullable<EvalIteration["evaluationConfig"]>;
}

export function viewCase({ item, grading }: FrozenCase): CaseView {
  const { definitions }: CasePlan = planOf(item, grading);
  return {
    expectedToolCalls: expectationsOf(item).map((call) => ({
      toolName: call.toolName,
      arguments: call.arguments,
    })),
    evaluationConfig: { hash: evaluationConfigHash(definitions), definitions },
  };
}

export function toIteration(row: IterationRow, view: CaseView | undefined): EvalIteration {
  return {
    id: row.id,
    runId: row.runId,
    testCaseId: row.caseId,
    caseKey: row.caseKey,
    title: row.title,
    iterationNumber: row.iterationNumber,
    model: row.model,
    provider: row.provider,
    status: row.status,
    result: row.result,
    stopCause: row.stopCause,
    error: row.error,
    errorClass: row.errorClass,
    startedAt: row.startedAt?.getTime() ?? null,
    durationMs: row.durationMs,
    tokensUsed: row.tokensUsed,
    usage: row.usage,
    costUsd: row.costUsd,
    expectedToolCalls: row.expectedToolCalls ?? view?.expectedToolCalls ?? [],
    actualToolCalls: row.actualToolCalls ?? [],
    scores: row.scores,
    evaluationConfig: row.evaluationConfig ?? view?.evaluationConfig ?? null,
    scoreIntegrity: row.scoreIntegrity,
    surfaceChangedMidRun: row.surfaceChanged,
    hasTrace: row.hasTrace,
  };
}

export function toTrace(
  row: IterationRow,
  one: FrozenCase | undefined,
  kept: Trace | ReportedTrace | undefined,
): EvalIterationTrace {
  if (kept === undefined) {
    throw missing(
      "No trace was kept for this iteration.",
      "Traces are kept for iterations that ran, until their run is deleted.",
      {
        code: "TRACE_NOT_AVAILABLE",
        reason: "TRACE_NOT_AVAILABLE",
      },
    );
  }
  const { messages, spans, ...rest } = kept;
  const matchOptions = one && planOf(one.item, one.grading).matchOptions;
  const isOurs = !("reported" in kept);
  const prompts = isOurs && one && matchOptions ? matchPrompts(one.item, kept, matchOptions) : [];
  // Spread, because the wire's objects are open and these are not.
  const open = (items: readonly object[]) => items.map((item): Record<string, unknown> => ({ ...item }));
  return {
    ...rest,
    runId: row.runId,
    iterationId: row.id,
    caseKey: row.caseKey,
    messages: open(messages),
    spans: open(spans),
    prompts: prompts.map(({ turn, expected, made, missing, extra, pairs }) => ({
      promptIndex: turn,
      expected: open(expected),
      actual: open(made),
      missing: open(missing),
      extra: open(extra),
      pairs,
    })),
  };
}

const stepStatus: Record<StepResult["status"], StepStatus> = {
  done: "ok",
  passed: "ok",
  failed: "fail",
  skipped: "skipped",
};

/** One for each step of the case, whatever became of the repetition. */
export function toSteps(
  row: IterationRow,
  { item }: FrozenCase,
  kept: { trace: Trace | ReportedTrace; grade: IterationGrade | null } | undefined,
): EvalIterationStep[] {
  const graded = kept?.grade?.steps;
  // Only the engine plays steps.
  const trace = kept?.trace as Trace | undefined;
  return item.steps.map((step, stepIndex) => {
    const found = graded?.find(({ stepId }) => stepId === step.id);
    const { status, reason } = found
      ? { ...found, status: stepStatus[found.status] }
      : ungraded(row, step.id, step.kind);
    const spans = trace?.spans.filter(({ authoredStepId }) => authoredStepId === step.id);
    return {
      stepId: step.id,
      stepIndex,
      kind: step.kind,
      status,
      reason: reason ?? null,
      ...(spans && spans.length > 0 && { evidence: { spans } }),
    };
  });
}

/** Without a grade: what has not settled is pending, and what the scores still tell is told. */
function ungraded(
  { status, error, scores }: IterationRow,
  stepId: string,
  kind: string,
): { status: StepStatus; reason?: string | undefined } {
  if (status === "pending" || status === "running") return { status: "pending" };
  const score = scores?.find(({ scorerId }) => scorerId === `step:${stepId}`);
  if (score?.status === "scored") return { status: score.passed ? "ok" : "fail", reason: score.rationale };
  if (status === "completed" && scores && kind !== "assert") return { status: "ok" };
  return { status: "skipped", reason: error ?? undefined };
}
