/** @module Ends a run, once: what has settled is counted by the same pure functions as a local run, the rest shows nothing. */
import { type EvalRunSummary, type EvalStopReason, type IterationStatus, limits } from "@fettle/contract";
import { type CaseSummary, judgeRun, ruleModelId, summarizeCase } from "@fettle/evals";
import { announceInProject } from "../accounts/announce.ts";
import type { App } from "../app.ts";
import type { Transaction } from "../db/pool.ts";
import { mineCompleted } from "../insights/asking.ts";
import { organizationOf } from "../projects/store.ts";
import { caseByKey, type FrozenRun } from "./frozen.ts";
import { askedOf } from "./insights/source.ts";
import { countIterations, endUnsettled, type IterationCount, sumIterations } from "./iteration-store.ts";
import { beginJudging } from "./judge/judge-run.ts";
import { releaseRun } from "./launch-cost.ts";
import * as store from "./store.ts";
import { tellEvalEnded } from "./tell-ended.ts";

/** How runs end, each with what becomes of repetitions that have not settled. Only a completed one has a verdict. */
export const ends = {
  completed: { stopReason: null, running: "failed", pending: "skipped", error: "It was not played." },
  cancelled: {
    stopReason: "user_cancelled",
    running: "cancelled",
    pending: "cancelled",
    error: "The run was cancelled.",
  },
  timed_out: {
    stopReason: "run_timeout",
    running: "timed_out",
    pending: "cancelled",
    error: "The run was out of time.",
  },
  failed: {
    stopReason: "stale_worker",
    running: "failed",
    pending: "cancelled",
    error: "The run broke off.",
  },
} as const satisfies Record<
  string,
  { stopReason: EvalStopReason | null; running: IterationStatus; pending: IterationStatus; error: string }
>;
export type End = keyof typeof ends;

/** Undefined when the run had ended before. */
export async function closeRun(
  app: App,
  tx: Transaction,
  { id }: Pick<store.RunRow, "id">,
  end: End,
  told: Partial<
    Pick<store.RunValues, "result" | "reasons" | "stopReason" | "error" | "toolSurfaceDrift" | "warnings">
  > = {},
): Promise<store.RunRow | undefined> {
  const open = await store.lockRun(tx, id);
  if (!open || !store.isOpen(open)) return undefined;
  const { stopReason, ...unsettled } = ends[end];
  await endUnsettled(tx, id, unsettled);
  const held = await store.findSnapshot(tx, id);
  const counts = await countIterations(tx, id);
  const cases = held ? caseSummaries(held.snapshot, counts) : [];
  const verdict = judgeRun(cases, {}, open.minimumPassRate / limits.evals.percent);
  const { totalTokens, costUsd, scored, broken } = await sumIterations(tx, id);
  const row = await store.updateOpenRun(tx, id, {
    status: end,
    result: end === "completed" ? verdict.result : null,
    reasons: verdict.reasons,
    stopReason,
    summary: summaryOf(verdict, counts),
    scoreIntegrity: scored === 0 ? null : broken === 0 ? "valid" : "invalid",
    totalTokens,
    costUsd,
    completedAt: new Date(app.now()),
    ...told,
  });
  await store.forgetKeys(tx, id);
  const organizationId = await organizationOf(tx, open);
  await releaseRun(tx, organizationId, id);
  const judge = held?.snapshot.judge;
  if (row && end === "completed" && judge?.enabled === true && judge.autoRun) {
    const settings = { model: judge.model ?? ruleModelId, threshold: judge.threshold };
    await beginJudging(app, tx, row, organizationId, settings);
  }
  if (row) {
    await mineCompleted(app, tx, await askedOf(tx, row));
    await tellEvalEnded(app, tx, row);
  }
  await announceInProject(app, tx, open.projectId, "eval-runs");
  return row;
}

/** The counts stand for as many repetitions: which of them it was does not matter for a verdict. */
export function caseSummaries(frozen: FrozenRun, counts: readonly IterationCount[]): CaseSummary[] {
  const known = caseByKey(frozen);
  const byCase = Map.groupBy(counts, ({ caseKey }) => caseKey);
  return [...known].map(([caseKey, { passThreshold }]) => {
    const trials = (byCase.get(caseKey) ?? []).flatMap(({ status, result, evaluatorError, count }) =>
      Array.from({ length: count }, () => ({ status, result, evaluatorError })),
    );
    return summarizeCase(trials, trials.length, passThreshold);
  });
}

function summaryOf(
  { total, passed, failed, passRate }: ReturnType<typeof judgeRun>,
  counts: readonly IterationCount[],
): EvalRunSummary {
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  return { total, passed, failed, passRate, excluded: all - total };
}
