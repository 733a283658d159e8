/** @module A reported run as if it had been launched here: its cases, by what was said of them first. Comparing and gating read it alike. */
import { limits } from "@fettle/contract/core";
import type { EvaluationConfig } from "@fettle/contract/evals";
import { and, asc, eq, isNotNull, sql } from "drizzle-orm";
import type { Transaction } from "../../core/db/pool.ts";
import { evalIterations, evalIterationTraces, type ReportedTrace } from "../../core/tables/eval-runs.ts";
import { type FrozenCase, type FrozenRun, usualBudgets } from "../runs/frozen.ts";
import type { RunRow } from "../runs/store.ts";
import { usualSettings } from "../suites/suite-view.ts";

export async function snapshotOf(tx: Transaction, run: RunRow): Promise<FrozenRun> {
  const { caseKey, title, model, ordinal, id } = evalIterations;
  const rows = await tx
    .selectDistinctOn([caseKey], { caseKey, title, model, trace: evalIterationTraces.trace })
    .from(evalIterations)
    .innerJoin(evalIterationTraces, eq(evalIterationTraces.iterationId, id))
    .where(eq(evalIterations.runId, run.id))
    .orderBy(asc(caseKey), asc(ordinal));
  const configs = await agreedConfigs(tx, run);
  const passThreshold = run.minimumPassRate / limits.evals.percent;
  return {
    version: 1,
    suite: { id: run.suiteId, name: run.suiteName, declaredId: null },
    cases: rows.map((row): FrozenCase => {
      // Only what is reported is stored of such a run.
      const { query, expectedOutput, isNegativeTest = false } = row.trace as ReportedTrace;
      const reportedConfig = configs.get(row.caseKey);
      return {
        caseId: null,
        item: {
          id: row.caseKey,
          title: row.title,
          steps: [{ id: "query", kind: "prompt", prompt: query || row.title }],
          checks: [],
          isNegativeTest,
          ...(expectedOutput !== undefined && { expectedOutput }),
        },
        checksFrom: "suite",
        // Judged elsewhere: nothing here decides.
        grading: { failOnToolError: false },
        models: row.model === null ? [] : [row.model],
        iterations: 1,
        passThreshold,
        ...(reportedConfig && { reportedConfig }),
      };
    }),
    target: { ...run.target, model: null, modelSource: "suite", system: null, temperature: null },
    judge: usualSettings.judge,
    budgets: usualBudgets,
    concurrency: 0,
  };
}

/** By case: what all its results name that count. Where they differ, nobody can say what the case was judged by. */
async function agreedConfigs(tx: Transaction, run: RunRow): Promise<Map<string, EvaluationConfig>> {
  const { caseKey, evaluationConfig, runId, result } = evalIterations;
  const text = sql`${evaluationConfig}::text`;
  const rows = await tx
    .select({ caseKey, config: sql<string>`min(${text})` })
    .from(evalIterations)
    .where(and(eq(runId, run.id), isNotNull(result)))
    .groupBy(caseKey)
    .having(sql`count(distinct ${text}) = 1 and count(${text}) = count(*)`);
  return new Map(rows.map((row) => [row.caseKey, JSON.parse(row.config) as EvaluationConfig]));
}
