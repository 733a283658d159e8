/** @module The SQL that counts over runs, so that a glance at many reads a few rows of each and no session. What is kept as JSON is read once for each row. */
import type { JourneyRunId } from "@fettle/contract/core";
import type { AttemptState } from "@fettle/contract/visitors";
import { and, count, inArray, sql } from "drizzle-orm";
import type { Querier } from "../../core/db/pool.ts";
import { journeyAttempts, journeyRunSnapshots } from "../../core/tables/journey-runs.ts";

const { runId, targetIndex, state, grading, goal, costUsd, totalTokens } = journeyAttempts;

export interface PlaceRow {
  runId: JourneyRunId;
  targetIndex: number;
  targetId: string;
  kind: "environment" | "host";
  name: string;
  model: string;
  hostId: string;
  hostName: string;
}

/** What was frozen of the places that the runs went to. */
export async function listPlaces(db: Querier, runIds: readonly JourneyRunId[]): Promise<PlaceRow[]> {
  if (runIds.length === 0) return [];
  return db
    .select({
      runId: journeyRunSnapshots.runId,
      targetIndex: sql<number>`(place.ordinality - 1)::int`,
      targetId: sql<string>`target.id`,
      kind: sql<PlaceRow["kind"]>`target.kind`,
      name: sql<string>`target.name`,
      model: sql<string>`frozen.model`,
      // As `hostOf` says it of one.
      hostId: sql<string>`coalesce(frozen.target #>> '{environment,resolved,hostId}', target.id)`,
      hostName: sql<string>`coalesce(frozen.target #>> '{environment,resolved,hostName}', target.name)`,
    })
    .from(journeyRunSnapshots)
    .crossJoin(
      sql`lateral json_array_elements(${journeyRunSnapshots.snapshot} -> 'places') with ordinality as place
        cross join lateral json_to_record(place.value) as frozen (model text, target json)
        cross join lateral json_to_record(frozen.target) as target (id text, kind text, name text)`,
    )
    .where(inArray(journeyRunSnapshots.runId, [...runIds]))
    .orderBy(journeyRunSnapshots.runId, sql`place.ordinality`);
}

export interface StateCount {
  runId: JourneyRunId;
  targetIndex: number;
  state: AttemptState;
  sessions: number;
}

export async function countStates(db: Querier, runIds: readonly JourneyRunId[]): Promise<StateCount[]> {
  if (runIds.length === 0) return [];
  return db
    .select({ runId, targetIndex, state, sessions: count() })
    .from(journeyAttempts)
    .where(inArray(runId, [...runIds]))
    .groupBy(runId, targetIndex, state);
}

export type SessionState = Awaited<ReturnType<typeof listStates>>[number];

/** Which session stands where, and no word of it. */
export async function listStates(db: Querier, runIds: readonly JourneyRunId[]) {
  if (runIds.length === 0) return [];
  const { id, targetId, targetName, ordinal } = journeyAttempts;
  return db
    .select({ id, runId, targetIndex, targetId, targetName, state })
    .from(journeyAttempts)
    .where(inArray(runId, [...runIds]))
    .orderBy(runId, ordinal);
}

export interface GoalCount {
  runId: JourneyRunId;
  gradedCount: number;
  passedCount: number;
  avgScore: number | null;
  pendingCount: number;
  failedCount: number;
}

export async function countGoals(db: Querier, runIds: readonly JourneyRunId[]): Promise<GoalCount[]> {
  if (runIds.length === 0) return [];
  const inStatus = (status: string) => sql`given.status = ${status}`;
  const sessions = (where: ReturnType<typeof sql>) => sql<number>`(count(*) filter (where ${where}))::int`;
  return db
    .select({
      runId,
      gradedCount: sessions(inStatus("completed")),
      passedCount: sessions(sql`${inStatus("completed")} and given.passed`),
      avgScore: sql<number | null>`avg(given.score) filter (where ${inStatus("completed")})`,
      pendingCount: sessions(inStatus("pending")),
      failedCount: sessions(inStatus("failed")),
    })
    .from(journeyAttempts)
    .crossJoin(
      sql`lateral json_to_record(${goal}) as given (status text, passed boolean, score double precision)`,
    )
    .where(and(inArray(runId, [...runIds]), sql`${goal} is not null`))
    .groupBy(runId);
}

/** What a run's sessions have taken; null where none has told. */
export async function sumTaken(db: Querier, runIds: readonly JourneyRunId[]) {
  if (runIds.length === 0) return [];
  return db
    .select({
      runId,
      costUsd: sql<number | null>`sum(${costUsd})`,
      totalTokens: sql<number | null>`sum(${totalTokens})::float8`,
    })
    .from(journeyAttempts)
    .where(inArray(runId, [...runIds]))
    .groupBy(runId);
}

export interface GradingCount {
  runId: JourneyRunId;
  graded: number;
  pending: number;
  broken: number;
}

export async function countGradings(db: Querier, runIds: readonly JourneyRunId[]): Promise<GradingCount[]> {
  if (runIds.length === 0) return [];
  const sessions = (status: string) => sql<number>`(count(*) filter (where given.status = ${status}))::int`;
  return db
    .select({
      runId,
      graded: sessions("completed"),
      pending: sessions("pending"),
      broken: sessions("failed"),
    })
    .from(journeyAttempts)
    .crossJoin(sql`lateral json_to_record(${grading}) as given (status text)`)
    .where(and(inArray(runId, [...runIds]), sql`${grading} is not null`))
    .groupBy(runId);
}

export interface CriterionCount {
  runId: JourneyRunId;
  criterionId: string;
  failCount: number;
  brokenCount: number;
}

/** Of each criterion that a session missed, or whose grader broke. */
export async function countMissed(db: Querier, runIds: readonly JourneyRunId[]): Promise<CriterionCount[]> {
  if (runIds.length === 0) return [];
  const criterionId = sql<string>`criterion.id`;
  const passed = sql`criterion.passed`;
  return db
    .select({
      runId,
      criterionId,
      failCount: sql<number>`(count(*) filter (where not ${passed}))::int`,
      brokenCount: sql<number>`(count(*) filter (where ${passed} is null))::int`,
    })
    .from(journeyAttempts)
    .crossJoin(
      sql`lateral json_to_record(${grading}) as given (status text, criteria json)
        cross join lateral json_to_recordset(given.criteria) as criterion (id text, passed boolean)`,
    )
    .where(and(inArray(runId, [...runIds]), sql`${grading} is not null and given.status = 'completed'`))
    .groupBy(runId, criterionId)
    .having(sql`bool_or(${passed} is not true)`);
}

/** Label and kind of each criterion, as it was frozen. */
export async function listCriteria(db: Querier, runIds: readonly JourneyRunId[]) {
  if (runIds.length === 0) return [];
  const criterion = sql`criterion.value`;
  return db
    .select({
      runId: journeyRunSnapshots.runId,
      criterionId: sql<string>`${criterion} ->> 'id'`,
      label: sql<string | null>`${criterion} ->> 'label'`,
      kind: sql<string>`${criterion} -> 'predicate' ->> 'type'`,
    })
    .from(journeyRunSnapshots)
    .crossJoin(sql`lateral json_array_elements(${journeyRunSnapshots.snapshot} -> 'rubric') as criterion`)
    .where(inArray(journeyRunSnapshots.runId, [...runIds]));
}
