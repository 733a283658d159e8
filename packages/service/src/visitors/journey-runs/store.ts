/** @module The SQL of journey runs, apart from what all kinds of runs share (`runs/store.ts`), and of their sessions. A session moves only as `run-states.ts` says. */
import {
  type JourneyId,
  type JourneyRunId,
  limits,
  type OrganizationId,
  type ProjectId,
} from "@fettle/contract/core";
import { type AttemptState, type SessionGrading, swarmLimits } from "@fettle/contract/visitors";
import type { Trace } from "@fettle/evals";
import { and, asc, count, desc, eq, gte, inArray, isNull, lt, ne, type SQL, sql } from "drizzle-orm";
import { isAfterPlace } from "../../core/db/keyset.ts";
import { holdNameLock } from "../../core/db/name-lock.ts";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import type { PlaceOf } from "../../core/routing/page.ts";
import { isJobOver, jobs } from "../../core/tables/jobs.ts";
import {
  journeyAttempts,
  journeyAttemptTraces,
  journeyRunSnapshots,
  journeyRuns,
} from "../../core/tables/journey-runs.ts";
import { modelIntents, modelSpend } from "../../core/tables/models.ts";
import { projects } from "../../core/tables/projects.ts";
import type { FrozenJourney } from "./frozen.ts";
import { comesFrom } from "./run-states.ts";

export type RunRow = typeof journeyRuns.$inferSelect;
export type RunValues = typeof journeyRuns.$inferInsert;
export type AttemptRow = typeof journeyAttempts.$inferSelect;

export async function insertPlanned(
  tx: Transaction,
  runId: JourneyRunId,
  snapshot: FrozenJourney,
  attempts: (typeof journeyAttempts.$inferInsert)[],
): Promise<void> {
  await tx.insert(journeyRunSnapshots).values({ runId, snapshot });
  await tx.insert(journeyAttempts).values(attempts);
}

export async function findRun(
  db: Querier,
  projectId: ProjectId,
  id: JourneyRunId,
): Promise<RunRow | undefined> {
  const [row] = await db
    .select()
    .from(journeyRuns)
    .where(and(eq(journeyRuns.id, id), eq(journeyRuns.projectId, projectId)));
  return row;
}

export async function findByScope(db: Querier, idempotencyScope: string): Promise<RunRow | undefined> {
  const [row] = await db.select().from(journeyRuns).where(eq(journeyRuns.idempotencyScope, idempotencyScope));
  return row;
}

/** One at a time for each organization, until the transaction ends: two launches must not both take the last place. */
export async function countLaunched(tx: Transaction, organizationId: OrganizationId, since: Date) {
  await holdNameLock(tx, `journey-runs ${organizationId}`);
  const [row] = await tx
    .select({ used: count() })
    .from(journeyRuns)
    .innerJoin(projects, eq(projects.id, journeyRuns.projectId))
    .where(and(eq(projects.organizationId, organizationId), gte(journeyRuns.createdAt, since)));
  return row?.used ?? 0;
}

export async function readFrozen(db: Querier, runId: JourneyRunId): Promise<FrozenJourney | undefined> {
  const [row] = await db.select().from(journeyRunSnapshots).where(eq(journeyRunSnapshots.runId, runId));
  // Only `insertPlanned` fills the column.
  return row?.snapshot as FrozenJourney | undefined;
}

/** The newest first. */
export async function listRuns(
  db: Querier,
  asked: {
    projectId: ProjectId;
    journeyId?: JourneyId;
    waveId?: string;
    before?: PlaceOf<"journeyRun"> | undefined;
    limit: number;
  },
): Promise<RunRow[]> {
  const { before, journeyId, waveId } = asked;
  const { createdAt, id } = journeyRuns;
  return db
    .select()
    .from(journeyRuns)
    .where(
      and(
        eq(journeyRuns.projectId, asked.projectId),
        journeyId && eq(journeyRuns.journeyId, journeyId),
        waveId === undefined ? undefined : eq(journeyRuns.waveId, waveId),
        isAfterPlace({ at: createdAt, id }, before),
      ),
    )
    .orderBy(desc(createdAt), desc(id))
    .limit(asked.limit);
}

/** The run that made one of these journeys last before these did, in another wave. */
export async function findWaveBefore(db: Querier, runs: readonly RunRow[]): Promise<RunRow | undefined> {
  const [first] = runs.toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
  if (!first) return undefined;
  const journeyIds = [...new Set(runs.map(({ journeyId }) => journeyId))];
  const [row] = await db
    .select()
    .from(journeyRuns)
    .where(
      and(
        eq(journeyRuns.projectId, first.projectId),
        inArray(journeyRuns.journeyId, journeyIds),
        ne(journeyRuns.waveId, first.waveId),
        lt(journeyRuns.createdAt, first.createdAt),
      ),
    )
    .orderBy(desc(journeyRuns.createdAt), desc(journeyRuns.id))
    .limit(1);
  return row;
}

/** Of each of these journeys the newest. */
export async function latestRuns(db: Querier, journeyIds: readonly JourneyId[]): Promise<RunRow[]> {
  if (journeyIds.length === 0) return [];
  const { journeyId, createdAt, id } = journeyRuns;
  return db
    .selectDistinctOn([journeyId])
    .from(journeyRuns)
    .where(inArray(journeyId, [...journeyIds]))
    .orderBy(journeyId, desc(createdAt), desc(id));
}

/** In their order. */
export async function listAttempts(
  db: Querier,
  runIds: readonly JourneyRunId[],
  { after = -1, limit, also }: { after?: number; limit?: number; also?: SQL | undefined } = {},
): Promise<AttemptRow[]> {
  if (runIds.length === 0) return [];
  const found = db
    .select()
    .from(journeyAttempts)
    .where(
      and(
        inArray(journeyAttempts.runId, [...runIds]),
        after < 0 ? undefined : sql`${journeyAttempts.ordinal} > ${after}`,
        also,
      ),
    )
    .orderBy(asc(journeyAttempts.runId), asc(journeyAttempts.ordinal));
  return limit === undefined ? found : found.limit(limit);
}

export const inState = (...states: AttemptState[]) => inArray(journeyAttempts.state, states);

export async function findAttempt(
  db: Querier,
  runId: JourneyRunId,
  id: string,
): Promise<AttemptRow | undefined> {
  const isIt = and(eq(journeyAttempts.runId, runId), eq(journeyAttempts.id, id));
  const [row] = await db.select().from(journeyAttempts).where(isIt);
  return row;
}

type AttemptChange = Partial<Omit<typeof journeyAttempts.$inferInsert, "id" | "runId" | "state">>;

/** False: it is not in a state that leads there. */
export async function moveAttempt(
  db: Querier,
  id: string,
  to: AttemptState,
  change: AttemptChange = {},
): Promise<boolean> {
  const moved = await db
    .update(journeyAttempts)
    .set({ ...change, state: to })
    .where(and(eq(journeyAttempts.id, id), inState(...comesFrom(to, "worker"))))
    .returning({ id: journeyAttempts.id });
  return moved.length > 0;
}

/** Ends what nobody will play or finish. Answers how many. */
export async function finalize(
  tx: Querier,
  runId: JourneyRunId,
  from: AttemptState,
  { to = "failed", error, endedAt, targetIndex }: Finalized,
): Promise<number> {
  if (!comesFrom(to, "finaliser").includes(from)) throw new Error(`no session goes from ${from} to ${to}`);
  const moved = await tx
    .update(journeyAttempts)
    .set({ state: to, error, endedAt })
    .where(
      and(
        eq(journeyAttempts.runId, runId),
        inState(from),
        targetIndex === undefined ? undefined : eq(journeyAttempts.targetIndex, targetIndex),
      ),
    )
    .returning({ id: journeyAttempts.id });
  return moved.length;
}

/** Why a session of a canceled run never began. */
export const shutDown = "runner_shutdown";

export const countShutDown = (db: Querier, runId: JourneyRunId): Promise<number> =>
  db.$count(journeyAttempts, and(eq(journeyAttempts.runId, runId), eq(journeyAttempts.error, shutDown)));

/**
 * What was under way when its worker died waits again, from where it was. What has taken down too many workers is given up; answers
 * whether anything was.
 */
export async function takeBack(tx: Querier, runId: JourneyRunId, endedAt: Date): Promise<boolean> {
  const isUnderWay = and(eq(journeyAttempts.runId, runId), inState(...comesFrom("pending", "finaliser")));
  const losses = sql`${journeyAttempts.losses} + 1`;
  const fatal = await tx
    .update(journeyAttempts)
    .set({ state: "failed", error: "worker_lost", endedAt, losses })
    .where(and(isUnderWay, gte(losses, swarmLimits.lossesPerSession)))
    .returning({ id: journeyAttempts.id });
  await tx.update(journeyAttempts).set({ state: "pending", losses }).where(isUnderWay);
  return fatal.length > 0;
}

export interface Finalized {
  to?: "failed" | "rate_limited";
  error: string;
  endedAt: Date;
  /** Only those of one place. */
  targetIndex?: number;
}

/** PostgreSQL's `json` keeps everything but the zero character. */
export async function saveTrace(
  db: Querier,
  attemptId: string,
  trace: Trace,
  farewell: string | null,
): Promise<void> {
  const values = { attemptId, trace, farewell };
  await db
    .insert(journeyAttemptTraces)
    .values(values)
    .onConflictDoUpdate({ target: journeyAttemptTraces.attemptId, set: { trace, farewell } });
}

export async function readTraces(
  db: Querier,
  ids: readonly string[],
): Promise<Map<string, { trace: Trace; farewell: string | null }>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select()
    .from(journeyAttemptTraces)
    .where(inArray(journeyAttemptTraces.attemptId, [...ids]));
  return new Map(rows.map(({ attemptId, ...rest }) => [attemptId, rest]));
}

/** How many messages each session has, and how the first one begins. */
export async function countMessages(
  db: Querier,
  ids: readonly string[],
): Promise<Map<string, { messages: number; first: string | null }>> {
  if (ids.length === 0) return new Map();
  const { attemptId, trace } = journeyAttemptTraces;
  const rows = await db
    .select({
      attemptId,
      messages: sql<number>`json_array_length(${trace} -> 'messages')`,
      first: sql<string | null>`left(${trace} #>> '{messages,0,text}', ${limits.chat.previewLength}::int)`,
    })
    .from(journeyAttemptTraces)
    .where(inArray(attemptId, [...ids]));
  return new Map(rows.map(({ attemptId: id, ...rest }) => [id, rest]));
}

/** Only what still pends is completed: a second grader of the same session changes nothing. */
export async function completeGrading(
  db: Querier,
  { id }: Pick<AttemptRow, "id">,
  graded: Pick<AttemptRow, "grading" | "goal">,
): Promise<void> {
  const pends = sql`(${journeyAttempts.grading} ->> 'status' = 'pending' or ${journeyAttempts.goal} ->> 'status' = 'pending')`;
  await db
    .update(journeyAttempts)
    .set(graded)
    .where(and(eq(journeyAttempts.id, id), pends));
}

export async function listUngraded(db: Querier, runId: JourneyRunId): Promise<AttemptRow[]> {
  const pending: SessionGrading["status"] = "pending";
  return listAttempts(db, [runId], {
    also: sql`(${journeyAttempts.grading} ->> 'status' = ${pending} or ${journeyAttempts.goal} ->> 'status' = ${pending})`,
  });
}

/** What its calls have cost so far, those that were never settled by their estimate; what nobody priced counts as nothing. */
export async function spentUsd(db: Querier, { kind, id }: { kind: string; id: string }): Promise<number> {
  const { rows } = await db.execute<{ usd: string | null }>(sql`
    select sum(usd) as usd from (
      select cost_usd as usd from ${modelSpend} where source_kind = ${kind} and source_id = ${id}
      union all
      select estimate_usd from ${modelIntents} where source_kind = ${kind} and source_id = ${id}
    ) as calls`);
  return Number(rows[0]?.usd ?? 0);
}

/** Runs that have ended, and whose job is over, with a session that nobody has ended. */
export async function listUnwound(db: Querier): Promise<RunRow[]> {
  const rows = await db
    .selectDistinctOn([journeyRuns.id], { run: journeyRuns })
    .from(journeyAttempts)
    .innerJoin(journeyRuns, eq(journeyRuns.id, journeyAttempts.runId))
    .leftJoin(jobs, eq(jobs.id, journeyRuns.jobId))
    .where(and(inState("running"), sql`${journeyRuns.status} <> 'running'`, isJobOver));
  return rows.map(({ run }) => run);
}

/** Runs that have ended, whose job is over, and of which nobody has counted what became of their sessions. */
export async function listUncounted(db: Querier, limit: number): Promise<JourneyRunId[]> {
  const rows = await db
    .select({ id: journeyRuns.id })
    .from(journeyRuns)
    .leftJoin(jobs, eq(jobs.id, journeyRuns.jobId))
    .where(and(isNull(journeyRuns.tally), ne(journeyRuns.status, "running"), isJobOver))
    .orderBy(desc(journeyRuns.createdAt))
    .limit(limit);
  return rows.map(({ id }) => id);
}

export async function keepTally(db: Querier, id: JourneyRunId, tally: object): Promise<void> {
  await db.update(journeyRuns).set({ tally }).where(eq(journeyRuns.id, id));
}
