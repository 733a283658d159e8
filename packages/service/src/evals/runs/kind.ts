/** @module What an eval run is as a kind of run. At its end what has settled is counted by the same pure functions as a local run, the rest shows nothing. */
import { limits } from "@fettle/contract/core";
import type { EvalRunStatus, EvalRunSummary, EvalStopReason, IterationStatus } from "@fettle/contract/evals";
import { type CaseSummary, judgeRun, ruleModelId, summarizeCase } from "@fettle/evals";
import { and, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import type { App } from "../../core/app.ts";
import { evalRunGroups, evalRuns } from "../../core/tables/eval-runs.ts";
import { evalSchedules } from "../../core/tables/eval-suites.ts";
import { isJobOver } from "../../core/tables/jobs.ts";
import { mineCompleted } from "../../insights/asking.ts";
import { organizationOf } from "../../people/projects/store.ts";
import type { RunKind } from "../../runs/life/kind.ts";
import { caseByKey, type FrozenRun } from "./frozen.ts";
import { askedOf } from "./insights/source.ts";
import { countIterations, endUnsettled, type IterationCount, sumIterations } from "./iteration-store.ts";
import { beginJudging, failedJudges } from "./judge/judge-run.ts";
import * as store from "./store.ts";
import { tellEvalEnded } from "./tell-ended.ts";

type Told = Partial<
  Pick<store.RunValues, "result" | "reasons" | "stopReason" | "error" | "toolSurfaceDrift" | "warnings">
>;
type OwnEnding = { end: "completed" | "timedOut"; told?: Told };

interface EndWords {
  status: EvalRunStatus;
  stopReason: EvalStopReason | null;
  /** What becomes of repetitions that have not settled. */
  unsettled: { running: IterationStatus; pending: IterationStatus; error: string };
}

/** Only a completed run has a verdict. */
const ends: Record<"completed" | "canceled" | "timedOut" | "lost", EndWords> = {
  completed: {
    status: "completed",
    stopReason: null,
    unsettled: { running: "failed", pending: "skipped", error: "It was not played." },
  },
  canceled: {
    status: "cancelled",
    stopReason: "user_cancelled",
    unsettled: { running: "cancelled", pending: "cancelled", error: "The run was cancelled." },
  },
  timedOut: {
    status: "timed_out",
    stopReason: "run_timeout",
    unsettled: { running: "timed_out", pending: "cancelled", error: "The run was out of time." },
  },
  lost: {
    status: "failed",
    stopReason: "stale_worker",
    unsettled: { running: "failed", pending: "cancelled", error: "The run broke off." },
  },
};

export const evalRunKind: RunKind<store.RunRow, store.RunValues, OwnEnding> = {
  name: "eval",
  watchdog: "evals.end-abandoned",
  table: evalRuns,
  part: "eval-runs",
  open: store.open,
  spendsAs: "evalRun",
  verdict: async (app, tx, run, ending) => {
    const isLate = ending.end === "lost" && isOverdue(run, app.now());
    const { status, stopReason, unsettled } = ends[isLate ? "timedOut" : ending.end];
    await endUnsettled(tx, run.id, unsettled);
    const frozen = (await store.findSnapshot(tx, run.id))?.snapshot;
    const counts = await countIterations(tx, run.id);
    const cases = frozen ? caseSummaries(frozen, counts) : [];
    const verdict = judgeRun(cases, {}, run.minimumPassRate / limits.evals.percent);
    const { totalTokens, costUsd, scored, broken } = await sumIterations(tx, run.id);
    return {
      status,
      result: status === "completed" ? verdict.result : null,
      reasons: verdict.reasons,
      stopReason,
      summary: summaryOf(verdict, counts),
      scoreIntegrity: scored === 0 ? null : broken === 0 ? "valid" : "invalid",
      totalTokens,
      costUsd,
      completedAt: new Date(app.now()),
      ...("told" in ending && ending.told),
      ...(status === "failed" && { error: "Whatever played the run has stopped for good." }),
    };
  },
  ended: async (app, tx, run) => {
    await store.forgetKeys(tx, run.id);
    const judge = (await store.findSnapshot(tx, run.id))?.snapshot.judge;
    if (run.status === "completed" && judge?.enabled === true && judge.autoRun) {
      const settings = { model: judge.model ?? ruleModelId, threshold: judge.threshold };
      await beginJudging(app, tx, run, await organizationOf(tx, run), settings);
    }
    await mineCompleted(app, tx, await askedOf(tx, run));
    await tellEvalEnded(app, tx, run);
  },
  lost: (now) => {
    const { externalRunId, createdAt, startedAt } = evalRuns;
    const begun = sql`coalesce(${startedAt}, ${createdAt})`;
    const isLate = sql`${begun} < ${new Date(now - playedMs).toISOString()}`;
    const isForgotten = lt(createdAt, new Date(now - limits.ingest.openMs));
    return or(and(isNull(externalRunId), or(isLate, isJobOver)), and(isNotNull(externalRunId), isForgotten));
  },
  upkeep: endLostJudges,
  isCanceled: ({ status }) => status === "cancelled",
  deletes: (ids) => [
    sql`update ${evalSchedules} set last_run_id = null where last_run_id = any(${ids})`,
    // A group goes with the last of its runs.
    sql`delete from ${evalRunGroups} as held
      where exists (select 1 from ${evalRuns} as run where run.group_id = held.id and run.id = any(${ids}))
        and not exists (select 1 from ${evalRuns} as run where run.group_id = held.id and run.id <> all(${ids}))`,
  ],
};

/** A worker ends its run by itself when its time is over; this is for those that have none. */
const playedMs = limits.evals.runMs + 60_000;

/** Of a run that is lost: one that is reported is lost by its time alone. */
function isOverdue({ externalRunId, startedAt, createdAt }: store.RunRow, now: number): boolean {
  return externalRunId !== null || (startedAt ?? createdAt).getTime() < now - playedMs;
}

/** The counts stand for as many repetitions: which of them it was does not matter for a verdict. */
function caseSummaries(frozen: FrozenRun, counts: readonly IterationCount[]): CaseSummary[] {
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

async function endLostJudges({ db, now }: Pick<App, "db" | "now">): Promise<void> {
  const why = "Whoever graded has stopped for good.";
  for (const { id, judges } of await store.listUnjudged(db)) {
    const told = failedJudges(judges, "judge_deadline_exceeded", why, now());
    await store.setJudges(db, id, { judges: told, judgeJobId: null });
  }
}
