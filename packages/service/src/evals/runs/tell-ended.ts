/** @module Tells that a run of a suite has ended, and whether the suite's verdict has turned by it. */
import { and, desc, eq, inArray, lt, sql } from "drizzle-orm";
import type { App } from "../../core/app.ts";
import type { Transaction } from "../../core/db/pool.ts";
import { evalRuns } from "../../core/tables/eval-runs.ts";
import { ownOrigin } from "../../people/accounts/origin.ts";
import { tell } from "../../runs/notices/tell.ts";
import { turnOf, verdicts } from "../../runs/notices/turn.ts";
import { pageOfRun } from "./run-view.ts";

type EvalRow = typeof evalRuns.$inferSelect;

export async function tellEvalEnded(app: App, tx: Transaction, run: EvalRow): Promise<void> {
  const { id, projectId, suiteId, suiteName, runNumber, status, result, summary } = run;
  const data = {
    suite: { id: suiteId, name: suiteName },
    run: {
      id,
      number: runNumber,
      status,
      outcome: result,
      passed: summary?.passed ?? 0,
      failed: summary?.failed ?? 0,
      total: summary?.total ?? 0,
      passRate: summary?.passRate ?? null,
      isPartial: run.isPartial,
    },
    url: pageOfRun(ownOrigin(app.config), run),
  };
  await tell(app, tx, projectId, "eval_run.ended", data);
  // A run of some cases is no verdict on the suite.
  if (run.isPartial || result === null) return;
  const turned = turnOf(suiteName, await lastResult(tx, run), result);
  if (turned.length > 0) await tell(app, tx, projectId, "verdict.turned", { kind: "eval", turned, ...data });
}

/** Of the last whole run against the same target: another client or environment may well come out differently. */
async function lastResult(
  tx: Transaction,
  { suiteId, runNumber, environmentId, clientId }: EvalRow,
): Promise<string | undefined> {
  const [before] = await tx
    .select({ result: evalRuns.result })
    .from(evalRuns)
    .where(
      and(
        eq(evalRuns.suiteId, suiteId),
        lt(evalRuns.runNumber, runNumber),
        eq(evalRuns.status, "completed"),
        eq(evalRuns.isPartial, false),
        inArray(evalRuns.result, [...verdicts]),
        sql`${evalRuns.environmentId} is not distinct from ${environmentId}`,
        sql`${evalRuns.clientId} is not distinct from ${clientId}`,
      ),
    )
    .orderBy(desc(evalRuns.runNumber))
    .limit(1);
  return before?.result ?? undefined;
}
