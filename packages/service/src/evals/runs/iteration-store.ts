/** @module The SQL of repetitions and their traces. What has settled stays settled, whoever comes late. */
import type { EvalIterationId, EvalRunId, EvalSuiteId } from "@fettle/contract/core";
import type { EvalRunMatrix, IterationStatus } from "@fettle/contract/evals";
import { and, asc, eq, gt, inArray, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import type { Database, Querier, Transaction } from "../../core/db/pool.ts";
import { forgiveJob, type Hold, heldJob } from "../../core/jobs/store.ts";
import { evalIterations, evalIterationTraces, evalRuns, iterationRank } from "../../core/tables/eval-runs.ts";

export type IterationRow = typeof evalIterations.$inferSelect;

/** What a launch knows of a repetition. */
export interface PlannedIteration {
  id: EvalIterationId;
  ordinal: number;
  caseId: string | null;
  caseKey: string;
  title: string;
  iterationNumber: number;
  model: string;
  provider: string;
}

/** All in one statement, whatever their number: each column travels as one parameter. */
export async function insertPlanned(
  tx: Transaction,
  runId: EvalRunId,
  planned: readonly PlannedIteration[],
): Promise<void> {
  const column = <Key extends keyof PlannedIteration>(key: Key) => sql.param(planned.map((one) => one[key]));
  await tx.execute(sql`
    insert into ${evalIterations} (id, run_id, project_id, ordinal, case_id, case_key, title, iteration_number, model, provider, status)
    select id, ${runId}, (select project_id from ${evalRuns} where id = ${runId}), ordinal, case_id, case_key, title, iteration_number, model, provider, 'pending'
    from unnest(
      ${column("id")}::text[], ${column("ordinal")}::int[], ${column("caseId")}::text[], ${column("caseKey")}::text[],
      ${column("title")}::text[], ${column("iterationNumber")}::int[], ${column("model")}::text[],
      ${column("provider")}::text[]
    ) as planned (id, ordinal, case_id, case_key, title, iteration_number, model, provider)`);
}

export type Unsettled = Pick<
  IterationRow,
  "id" | "ordinal" | "caseKey" | "iterationNumber" | "model" | "provider"
>;

/** The next ones to play, in order. */
export async function listUnsettled(
  db: Querier,
  runId: EvalRunId,
  afterOrdinal: number,
  limit: number,
): Promise<Unsettled[]> {
  const { id, ordinal, caseKey, iterationNumber, model, provider } = evalIterations;
  return db
    .select({ id, ordinal, caseKey, iterationNumber, model, provider })
    .from(evalIterations)
    .where(
      and(
        eq(evalIterations.runId, runId),
        gt(ordinal, afterOrdinal),
        inArray(evalIterations.status, ["pending", "running"]),
      ),
    )
    .orderBy(asc(ordinal))
    .limit(limit);
}

/** How a repetition went, ready to be written. JSON travels as text. */
export interface SettledIteration {
  id: EvalIterationId;
  status: IterationStatus;
  result: "passed" | "failed" | null;
  stopCause: string | null;
  error: string | null;
  errorClass: string | null;
  startedAt: Date;
  durationMs: number;
  tokensUsed: number | null;
  usage: string | null;
  costUsd: number | null;
  actualToolCalls: string;
  scores: string | null;
  isIntact: boolean;
  evaluatorError: boolean;
  surfaceChanged: boolean;
  trace: string | null;
  grade: string | null;
}

const dialect = new PgDialect();

/**
 * Writes finished repetitions and marks begun ones, in one statement and one round trip. Nothing is written unless the job is
 * still the writer's, and what has settled before (by a cancel, by a worker that was faster) is left as it is.
 * Answers whether the job was held.
 */
export async function writeIterations(
  db: Database,
  hold: Hold,
  settled: readonly SettledIteration[],
  begun: readonly { id: EvalIterationId; startedAt: Date }[],
): Promise<boolean> {
  const column = <Key extends keyof SettledIteration>(key: Key) => sql.param(settled.map((one) => one[key]));
  const statement = sql`
    with held as materialized (
      ${heldJob(hold)}
    ), finished as materialized (
      select * from unnest(
        ${column("id")}::text[], ${column("status")}::text[], ${column("result")}::text[], ${column("stopCause")}::text[],
        ${column("error")}::text[], ${column("errorClass")}::text[], ${column("startedAt")}::timestamptz[],
        ${column("durationMs")}::float8[], ${column("tokensUsed")}::int[], ${column("usage")}::text[],
        ${column("costUsd")}::float8[], ${column("actualToolCalls")}::text[],
        ${column("scores")}::text[], ${column("isIntact")}::bool[], ${column("evaluatorError")}::bool[],
        ${column("surfaceChanged")}::bool[], ${column("trace")}::text[], ${column("grade")}::text[]
      ) as one (id, status, result, stop_cause, error, error_class, started_at, duration_ms, tokens_used, usage, cost_usd,
        actual_tool_calls, scores, is_intact, evaluator_error, surface_changed, trace, grade)
    ), settled as (
      update eval_iterations as row set
        status = one.status, result = one.result, stop_cause = one.stop_cause, error = one.error,
        error_class = one.error_class, started_at = one.started_at, duration_ms = one.duration_ms,
        tokens_used = one.tokens_used, usage = one.usage::jsonb, cost_usd = one.cost_usd,
        actual_tool_calls = one.actual_tool_calls::json,
        scores = one.scores::json,
        score_integrity = case when one.is_intact then null else 'score_integrity_invalid' end,
        evaluator_error = one.evaluator_error, surface_changed = one.surface_changed,
        has_trace = one.trace is not null, job_id = ${hold.id}, attempts = greatest(row.attempts, 1)
      from finished one
      where row.id = one.id and row.status in ('pending', 'running') and exists (select 1 from held)
      returning row.id
    ), traced as (
      insert into eval_iteration_traces (iteration_id, trace, grade, bytes, created_at)
      select one.id, one.trace::json, one.grade::json, octet_length(one.trace), now()
      from finished one join settled using (id) where one.trace is not null
    ), forgiven as (
      ${forgiveJob(hold)} and exists (select 1 from settled)
    ), begun as (
      update eval_iterations as row set
        status = 'running', started_at = one.started_at, job_id = ${hold.id}, attempts = row.attempts + 1
      from unnest(
        ${sql.param(begun.map(({ id }) => id))}::text[], ${sql.param(begun.map(({ startedAt }) => startedAt))}::timestamptz[]
      ) as one (id, started_at)
      where row.id = one.id and row.status in ('pending', 'running') and exists (select 1 from held)
    )
    select 1 from held`;
  const { sql: text, params: values } = dialect.sqlToQuery(statement);
  // Parsed and planned once for each connection.
  const { rowCount } = await db.$client.query({ name: "write_eval_iterations", text, values });
  return rowCount === 1;
}

/** What has not settled will not: those under way, and those not begun. */
export async function endUnsettled(
  tx: Querier,
  runId: EvalRunId,
  ends: { running: IterationStatus; pending: IterationStatus; error: string },
): Promise<void> {
  await tx.execute(sql`
    update eval_iterations set
      status = case when status = 'running' then ${ends.running} else ${ends.pending} end, error = ${ends.error}
    where run_id = ${runId} and status in ('pending', 'running')`);
}

/** Repetitions that came to the same, counted. */
export interface IterationCount {
  runId: EvalRunId;
  caseKey: string;
  status: IterationStatus;
  result: "passed" | "failed" | null;
  evaluatorError: boolean;
  count: number;
}

export async function countIterations(db: Querier, runId: EvalRunId): Promise<IterationCount[]> {
  const { caseKey, status, result, evaluatorError } = evalIterations;
  return db
    .select({
      runId: evalIterations.runId,
      caseKey,
      status,
      result,
      evaluatorError,
      count: sql<number>`count(*)::int`,
    })
    .from(evalIterations)
    .where(eq(evalIterations.runId, runId))
    .groupBy(evalIterations.runId, caseKey, status, result, evaluatorError);
}

/** All of them, put together by the database: ten thousand rows would be read for as many letters. */
export async function readMatrix(db: Querier, runId: EvalRunId): Promise<EvalRunMatrix["rows"]> {
  const { caseKey, title, model, result, status, ordinal } = evalIterations;
  const letter = sql`case when ${result} = 'passed' then 'p' when ${result} = 'failed' then 'f'
    when ${status} = 'pending' then 'w' when ${status} = 'running' then 'r' else 'x' end`;
  return db
    .select({
      caseKey,
      title: sql<string>`min(${title})`,
      model,
      cells: sql<string>`string_agg(${letter}, '' order by ${ordinal})`,
    })
    .from(evalIterations)
    .where(eq(evalIterations.runId, runId))
    .groupBy(caseKey, model)
    .orderBy(sql`min(${ordinal})`);
}

export interface Progress {
  total: number;
  settled: number;
  passed: number;
  failed: number;
}

export async function listProgress(
  db: Querier,
  runIds: readonly EvalRunId[],
): Promise<Map<EvalRunId, Progress>> {
  if (runIds.length === 0) return new Map();
  const { runId } = evalIterations;
  const rows = await db
    .select({
      runId,
      total: sql<number>`count(*)::int`,
      settled: sql<number>`(count(*) filter (where status not in ('pending', 'running')))::int`,
      passed: sql<number>`(count(*) filter (where result = 'passed'))::int`,
      failed: sql<number>`(count(*) filter (where result = 'failed'))::int`,
    })
    .from(evalIterations)
    .where(inArray(runId, [...runIds]))
    .groupBy(runId);
  return new Map(rows.map(({ runId: id, ...progress }) => [id, progress]));
}

/** Null where a single repetition was not measured: a sum of the rest would look like less. */
export async function sumIterations(
  db: Querier,
  runId: EvalRunId,
): Promise<{ totalTokens: number | null; costUsd: number | null; scored: number; broken: number }> {
  const ran = sql`started_at is not null and status <> 'setup_failed'`;
  const [row] = await db
    .select({
      totalTokens: sql<
        number | null
      >`case when bool_and(tokens_used is not null) filter (where ${ran}) then sum(tokens_used)::float8 end`,
      costUsd: sql<
        number | null
      >`case when bool_and(cost_usd is not null) filter (where ${ran}) then sum(cost_usd)::float8 end`,
      scored: sql<number>`(count(*) filter (where result is not null))::int`,
      broken: sql<number>`(count(*) filter (where score_integrity is not null))::int`,
    })
    .from(evalIterations)
    .where(eq(evalIterations.runId, runId));
  return row ?? { totalTokens: null, costUsd: null, scored: 0, broken: 0 };
}

/** What a repetition of a suite took of a model lately, as the median of the last ones; undefined before the first. */
export async function usualUsage(
  db: Querier,
  suiteId: EvalSuiteId,
  model: string,
): Promise<{ input: number; output: number } | undefined> {
  const { rows } = await db.execute<{ input: number | null; output: number | null }>(sql`
    select percentile_cont(0.5) within group (order by (usage->>'input')::float8) as input,
      percentile_cont(0.5) within group (order by (usage->>'output')::float8) as output
    from (
      select usage from eval_iterations where model = ${model} and usage ? 'input' and usage ? 'output'
        and run_id in (select id from eval_runs where suite_id = ${suiteId} order by created_at desc limit 5)
      limit 200
    ) as last_ones`);
  const [row] = rows;
  return row?.input == null || row.output == null ? undefined : { input: row.input, output: row.output };
}

export interface IterationFilter {
  runId: EvalRunId;
  result?: "passed" | "failed" | undefined;
  status?: IterationStatus | undefined;
  caseKey?: string | undefined;
  order: "asked" | "failures";
}

const rank = iterationRank(evalIterations);
const rankOf = { failed: 0, passed: 2 };

export interface IterationPlace {
  rank: number;
  ordinal: number;
}

export async function listIterations(
  db: Querier,
  asked: IterationFilter & { after?: IterationPlace | undefined; limit: number },
): Promise<(IterationRow & { rank: number })[]> {
  const { after, order } = asked;
  const { ordinal } = evalIterations;
  const beyond =
    after &&
    (order === "asked"
      ? gt(ordinal, after.ordinal)
      : sql`(${rank}, ${ordinal}) > (${after.rank}, ${after.ordinal})`);
  const rows = await db
    .select({ row: evalIterations, rank })
    .from(evalIterations)
    .where(
      and(
        eq(evalIterations.runId, asked.runId),
        asked.result && sql`${rank} = ${rankOf[asked.result]}`,
        asked.status && eq(evalIterations.status, asked.status),
        asked.caseKey === undefined ? undefined : eq(evalIterations.caseKey, asked.caseKey),
        beyond,
      ),
    )
    .orderBy(...(order === "asked" ? [asc(ordinal)] : [asc(rank), asc(ordinal)]))
    .limit(asked.limit);
  return rows.map(({ row, rank: at }) => ({ ...row, rank: at }));
}

export async function findIteration(
  db: Querier,
  runId: EvalRunId,
  id: EvalIterationId,
): Promise<IterationRow | undefined> {
  const [row] = await db
    .select()
    .from(evalIterations)
    .where(and(eq(evalIterations.id, id), eq(evalIterations.runId, runId)));
  return row;
}

const gradeable = (runId: EvalRunId) =>
  and(eq(evalIterations.runId, runId), eq(evalIterations.status, "completed"), evalIterations.hasTrace);

/** What a judge can be asked about, in order. */
export async function listGradeable(db: Querier, runId: EvalRunId, limit: number) {
  const { id, caseKey, ordinal } = evalIterations;
  return db
    .select({ id, caseKey })
    .from(evalIterations)
    .where(gradeable(runId))
    .orderBy(asc(ordinal))
    .limit(limit);
}

export async function countGradeable(db: Querier, runId: EvalRunId): Promise<number> {
  return db.$count(evalIterations, gradeable(runId));
}

export async function findTrace(db: Querier, iterationId: EvalIterationId) {
  const [row] = await db
    .select()
    .from(evalIterationTraces)
    .where(eq(evalIterationTraces.iterationId, iterationId));
  return row;
}

export async function findTraces(db: Querier, iterationIds: readonly EvalIterationId[]) {
  if (iterationIds.length === 0) return [];
  const { iterationId, trace } = evalIterationTraces;
  return db
    .select({ iterationId, trace })
    .from(evalIterationTraces)
    .where(inArray(iterationId, [...iterationIds]));
}
