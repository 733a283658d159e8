/** @module The repetitions of a run, as a source of insights. Suites are what runs follow one another in. */
import { type EvalIterationId, type EvalRunId, idOf, limits } from "@fettle/contract/core";
import type { IterationStatus } from "@fettle/contract/evals";
import type { IterationGrade, Trace } from "@fettle/evals";
import type { ServerSnapshot } from "@fettle/insights";
import { and, desc, eq, inArray, isNotNull, lt, sql } from "drizzle-orm";
import type { App } from "../../../core/app.ts";
import type { Querier } from "../../../core/db/pool.ts";
import {
  evalIterations,
  evalIterationTraces,
  evalRuns,
  evalRunTools,
  evalToolSnapshots,
  type ReportedTrace,
} from "../../../core/tables/eval-runs.ts";
import type { Asked } from "../../../insights/asking.ts";
import type { OpenScope, Source } from "../../../insights/source.ts";
import { organizationOf } from "../../../people/projects/store.ts";
import { caseByKey } from "../frozen.ts";
import * as store from "../store.ts";
import { toUnit } from "./unit.ts";

/** What came to an end by itself; what was cancelled or never begun tells of nothing. */
const told = [
  "completed",
  "failed",
  "timed_out",
  "setup_failed",
] as const satisfies readonly IterationStatus[];

export const evalRunSource: Source = {
  kind: "eval_run",
  unitKind: "iteration",
  unit: "iterations",
  part: "eval-runs",
  open: async (app, projectId, scopeId) => {
    const run = await store.findRun(app.db, projectId, idOf<"evalRun">().parse(scopeId));
    return run && openRun(app, run);
  },
};

/** What is known of a run without looking at its repetitions. */
export async function askedOf(db: Querier, run: store.RunRow): Promise<Asked> {
  return {
    scope: { kind: "eval_run", id: run.id },
    projectId: run.projectId,
    organizationId: await organizationOf(db, run),
    family: { kind: "suite", id: run.suiteId, label: run.suiteName },
  };
}

async function openRun(app: App, run: store.RunRow): Promise<OpenScope> {
  const { db } = app;
  const snapshots = await readSnapshots(db, run);
  const frozen = await store.readFrozen(db, run.id);
  const around = {
    run,
    hashes: Object.fromEntries(snapshots.map(({ serverId, hash }) => [serverId, hash])),
    cases: frozen ? caseByKey(frozen) : new Map(),
  };
  const isTold = and(eq(evalIterations.runId, run.id), inArray(evalIterations.status, told));
  const judgedAt = run.judges.goalCompletion?.generatedAt ?? 0;
  const units = await db
    .select({ id: evalIterations.id })
    .from(evalIterations)
    .where(isTold)
    .orderBy(desc(evalIterations.ordinal))
    .limit(limits.insights.units);
  return {
    ...(await askedOf(db, run)),
    at: (run.completedAt ?? run.createdAt).getTime(),
    total: await db.$count(evalIterations, isTold),
    // What has settled never changes; a judge may come later.
    units: units.map(({ id }) => ({ id, stamp: String(judgedAt) })),
    snapshots,
    earlierSnapshots: await readEarlier(db, run),
    read: async (ids) => {
      const rows = await readRows(db, run.id, ids);
      return rows.map(({ row, trace, grade }) => toUnit(row, around, ownTrace(trace, grade)));
    },
  };
}

async function readRows(db: Querier, runId: EvalRunId, ids: readonly string[]) {
  const parsed = ids.map((id): EvalIterationId => idOf<"evalIteration">().parse(id));
  return db
    .select({ row: evalIterations, trace: evalIterationTraces.trace, grade: evalIterationTraces.grade })
    .from(evalIterations)
    .leftJoin(evalIterationTraces, eq(evalIterationTraces.iterationId, evalIterations.id))
    .where(and(eq(evalIterations.runId, runId), inArray(evalIterations.id, parsed)));
}

function ownTrace(trace: Trace | ReportedTrace | null, grade: IterationGrade | null) {
  return trace === null || "reported" in trace ? undefined : { trace, grade };
}

async function readTools(db: Querier, { projectId }: Pick<store.RunRow, "projectId">, runId: EvalRunId) {
  const { serverId, serverName, hash } = evalRunTools;
  const isKept = and(eq(evalToolSnapshots.projectId, projectId), eq(evalToolSnapshots.hash, hash));
  return db
    .select({ serverId, serverName, snapshot: evalToolSnapshots.snapshot })
    .from(evalRunTools)
    .innerJoin(evalToolSnapshots, isKept)
    .where(eq(evalRunTools.runId, runId));
}

async function readSnapshots(db: Querier, run: store.RunRow): Promise<ServerSnapshot[]> {
  const rows = await readTools(db, run, run.id);
  return rows.map(({ serverId, serverName, snapshot }) => ({
    serverId,
    serverName,
    // Of the tools alone: another version of the same tools is no other surface.
    hash: snapshot.toolsHash,
    takenAt: (run.startedAt ?? run.createdAt).getTime(),
    tools: snapshot.tools,
  }));
}

/** Of the suite's run before this one that saw its servers. */
async function readEarlier(db: Querier, run: store.RunRow): Promise<Record<string, string> | undefined> {
  const [earlier] = await db
    .select({ id: evalRuns.id })
    .from(evalRuns)
    .where(
      and(
        eq(evalRuns.suiteId, run.suiteId),
        lt(evalRuns.runNumber, run.runNumber),
        isNotNull(evalRuns.completedAt),
        sql`exists (select 1 from ${evalRunTools} where ${evalRunTools.runId} = ${evalRuns.id})`,
      ),
    )
    .orderBy(desc(evalRuns.runNumber))
    .limit(1);
  if (!earlier) return undefined;
  const rows = await readTools(db, run, earlier.id);
  return Object.fromEntries(rows.map(({ serverId, snapshot }) => [serverId, snapshot.toolsHash]));
}
