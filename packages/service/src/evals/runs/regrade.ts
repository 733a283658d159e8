/** @module Judges a finished run again from the traces that were kept: no model, no server, and the run's own result stays. */
import { limits, type UserId } from "@fettle/contract/core";
import type { EvalRunGrading, EvalRunRegradeRequest } from "@fettle/contract/evals";
import { gradeCase, judgeRun, summarizeCase, type Trace, whyOf } from "@fettle/evals";
import { desc, eq, max } from "drizzle-orm";
import type { App } from "../../core/app.ts";
import { inTransaction } from "../../core/db/in-transaction.ts";
import type { Querier } from "../../core/db/pool.ts";
import { evalRunGradings } from "../../core/tables/eval-runs.ts";
import { refused } from "../../environments/targets/refuse.ts";
import { lockRun } from "../../runs/life/store.ts";
import { type CaseRow, listCases } from "../suites/case-store.ts";
import { findSuite } from "../suites/store.ts";
import { readChecks } from "../suites/suites.ts";
import { type FrozenCase, type FrozenRun, freezeCase, type SuiteRow } from "./frozen.ts";
import { findTraces, type IterationRow, listIterations } from "./iteration-store.ts";
import { evalRunKind } from "./kind.ts";
import * as store from "./store.ts";

type Trial = Pick<IterationRow, "status" | "result" | "evaluatorError">;
interface Regraded {
  trials: Trial[];
  before: { passed: number; failed: number };
  reason: string | null;
}

const chunk = 100;

export async function regradeRun(
  app: App,
  db: Querier,
  run: store.RunRow,
  userId: UserId,
  { checks }: EvalRunRegradeRequest,
): Promise<EvalRunGrading> {
  if (store.isOpen(run)) throw refused("CONFLICT", "RUN_IN_PROGRESS", "The run has not ended.");
  const frozen = await store.readFrozen(app.db, run.id);
  const suite = await findSuite(app.db, run.projectId, run.suiteId);
  if (!frozen || !suite) throw refused("CONFLICT", "TRACE_NOT_AVAILABLE", "Nothing was kept to judge by.");
  const given = checks
    ? { ...suite, settings: { ...suite.settings, checks: readChecks(checks, "body.checks") } }
    : suite;
  const judged = judgedNow(run, frozen, given, await listCases(app.db, suite.id));
  const regraded = await gradeAgain(app, run, judged);
  return inTransaction(db, async (tx) => {
    // Held, so that of two at once each has a number of its own.
    await lockRun(tx, evalRunKind, run.id);
    const { runId, revision: column } = evalRunGradings;
    const [last] = await tx
      .select({ of: max(column) })
      .from(evalRunGradings)
      .where(eq(runId, run.id));
    const revision = (last?.of ?? 0) + 1;
    const grading = toGrading(run, judged, regraded, revision, app.now());
    const createdAt = new Date(app.now());
    await tx
      .insert(evalRunGradings)
      .values({ runId: run.id, revision, grading, createdBy: userId, createdAt });
    return grading;
  });
}

export async function listGradings(app: App, { id }: store.RunRow): Promise<{ items: EvalRunGrading[] }> {
  const rows = await app.db
    .select({ grading: evalRunGradings.grading })
    .from(evalRunGradings)
    .where(eq(evalRunGradings.runId, id))
    .orderBy(desc(evalRunGradings.revision))
    .limit(limits.page.runs.max);
  return { items: rows.map(({ grading }) => grading) };
}

/** What was played stays as it was; how it is judged is as the case and the suite say now. A case that is gone is judged as it was. */
function judgedNow(
  { minimumPassRate }: store.RunRow,
  { cases, target }: FrozenRun,
  suite: SuiteRow,
  rows: readonly CaseRow[],
): Map<string, FrozenCase> {
  return new Map(
    cases.map((one) => {
      const row = rows.find(({ declaredId }) => declaredId === one.item.id);
      if (!row) return [one.item.id, one];
      const { item, grading } = freezeCase(row, suite, target, { minimumPassRate });
      const { checks, isNegativeTest, expectToolError } = item;
      const now = { checks, isNegativeTest, expectToolError };
      return [one.item.id, { ...one, item: { ...one.item, ...now }, grading }];
    }),
  );
}

async function gradeAgain(
  app: App,
  run: store.RunRow,
  judged: ReadonlyMap<string, FrozenCase>,
): Promise<Map<string, Regraded>> {
  const byCase = new Map<string, Regraded>();
  for (let ordinal = -1; ; ) {
    const asked = { runId: run.id, order: "asked", after: { rank: 0, ordinal }, limit: chunk } as const;
    const rows = await listIterations(app.db, asked);
    const traces = await findTraces(
      app.db,
      rows.map(({ id }) => id),
    );
    // Of a run that was played here, only the engine's traces are stored.
    const byId = new Map(traces.map(({ iterationId, trace }) => [iterationId, trace as Trace]));
    for (const row of rows) {
      const own = byCase.get(row.caseKey) ?? { trials: [], before: { passed: 0, failed: 0 }, reason: null };
      byCase.set(row.caseKey, own);
      if (row.result) own.before[row.result] += 1;
      const [one, trace] = [judged.get(row.caseKey), byId.get(row.id)];
      if (!one || !trace || row.status !== "completed") {
        own.trials.push({ ...row, result: null });
        continue;
      }
      const grade = gradeCase(one.item, trace, one.grading);
      own.trials.push({ status: "completed", result: grade.result, evaluatorError: false });
      if (grade.result === "failed") {
        const played = { status: "completed", result: "failed", durationMs: 0, trace, grade } as const;
        own.reason ??= whyOf(one.item, one.grading, played) ?? null;
      }
    }
    const last = rows.at(-1);
    if (!last || rows.length < chunk) return byCase;
    ordinal = last.ordinal;
  }
}

function toGrading(
  run: store.RunRow,
  judged: ReadonlyMap<string, FrozenCase>,
  regraded: ReadonlyMap<string, Regraded>,
  revision: number,
  createdAt: number,
): EvalRunGrading {
  const cases = [...judged].map(([caseKey, { item, passThreshold }]) => {
    const { trials, before, reason } = regraded.get(caseKey) ?? {
      trials: [],
      before: { passed: 0, failed: 0 },
      reason: null,
    };
    const summary = summarizeCase(trials, trials.length, passThreshold);
    const count = (result: "passed" | "failed") => trials.filter((one) => one.result === result).length;
    const { verdict } = summary;
    const told = { caseKey, title: item.title, verdict, passed: count("passed"), failed: count("failed") };
    return {
      summary,
      ungraded: trials.filter(({ result }) => result === null).length,
      told: { ...told, before, reason },
    };
  });
  const verdict = judgeRun(
    cases.map(({ summary }) => summary),
    {},
    run.minimumPassRate / limits.evals.percent,
  );
  const { total, passed, failed, passRate, result, reasons } = verdict;
  const ungraded = cases.reduce((sum, one) => sum + one.ungraded, 0);
  return {
    runId: run.id,
    revision,
    result,
    reasons,
    summary: { total, passed, failed, passRate, excluded: ungraded },
    ungraded,
    cases: cases.map(({ told }) => told),
    createdAt,
  };
}
