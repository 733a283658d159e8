/** @module The SQL of eval runs, apart from what all kinds of runs share (`runs/store.ts`). */
import type {
  EvalRunGroupId,
  EvalRunId,
  EvalSuiteId,
  OrganizationId,
  ProjectId,
  UserId,
} from "@fettle/contract/core";
import type { EvalRunStatus } from "@fettle/contract/evals";
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, ne, sql } from "drizzle-orm";
import { isAfterPlace } from "../../core/db/keyset.ts";
import { holdNameLock } from "../../core/db/name-lock.ts";
import { oneRow } from "../../core/db/one-row.ts";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import type { PlaceOf } from "../../core/routing/page.ts";
import { evalRunReports, evalRunSnapshots, evalRuns } from "../../core/tables/eval-runs.ts";
import { evalSuites } from "../../core/tables/eval-suites.ts";
import { isJobOver, jobs } from "../../core/tables/jobs.ts";
import { projects } from "../../core/tables/projects.ts";
import type { FrozenRun, SuiteRow } from "./frozen.ts";

export type RunRow = typeof evalRuns.$inferSelect;
export type RunValues = typeof evalRuns.$inferInsert;

export const open = { waiting: "pending", running: "running" } as const;
const openStatuses: EvalRunStatus[] = Object.values(open);
export const isOpen = ({ status }: Pick<RunRow, "status">): boolean => openStatuses.includes(status);
const stillOpen = inArray(evalRuns.status, openStatuses);

export async function takeRunNumber(tx: Transaction, { id }: Pick<SuiteRow, "id">): Promise<number> {
  return (
    oneRow(
      await tx
        .update(evalSuites)
        .set({ nextRunNumber: sql`${evalSuites.nextRunNumber} + 1` })
        .where(eq(evalSuites.id, id))
        .returning({ next: evalSuites.nextRunNumber }),
    ).next - 1
  );
}

export async function insertSnapshot(
  tx: Transaction,
  runId: EvalRunId,
  snapshot: FrozenRun,
  sealedModelKeys: string | null = null,
): Promise<void> {
  await tx.insert(evalRunSnapshots).values({ runId, snapshot, sealedModelKeys });
}

/** Of a run that is reported, which has no snapshot until it is finished. */
export async function insertReported(
  tx: Transaction,
  values: RunValues,
  said: Record<string, unknown>,
): Promise<RunRow> {
  const row = oneRow(await tx.insert(evalRuns).values(values).returning());
  await tx.insert(evalRunReports).values({ runId: values.id, said });
  return row;
}

export async function findReported(
  db: Querier,
  runId: EvalRunId,
): Promise<Record<string, unknown> | undefined> {
  const [row] = await db.select().from(evalRunReports).where(eq(evalRunReports.runId, runId));
  return row?.said;
}

export async function findByExternalId(
  db: Querier,
  projectId: ProjectId,
  externalRunId: string,
): Promise<RunRow | undefined> {
  const isIt = and(eq(evalRuns.projectId, projectId), eq(evalRuns.externalRunId, externalRunId));
  const [row] = await db.select().from(evalRuns).where(isIt);
  return row;
}

export async function findRun(db: Querier, projectId: ProjectId, id: EvalRunId): Promise<RunRow | undefined> {
  const [row] = await db
    .select()
    .from(evalRuns)
    .where(and(eq(evalRuns.id, id), eq(evalRuns.projectId, projectId)));
  return row;
}

export async function findSnapshot(
  db: Querier,
  runId: EvalRunId,
): Promise<{ snapshot: FrozenRun; sealedModelKeys: string | null } | undefined> {
  const [row] = await db.select().from(evalRunSnapshots).where(eq(evalRunSnapshots.runId, runId));
  // Only `insertSnapshot` fills the column.
  return row && { snapshot: row.snapshot as FrozenRun, sealedModelKeys: row.sealedModelKeys };
}

/** The runs read last: pages of one run ask for it again and again, and it never changes. What is worked out of its cases is kept with it. */
const frozenRuns = new Map<EvalRunId, FrozenRun>();
const frozenRunsKept = 8;

export async function readFrozen(db: Querier, runId: EvalRunId): Promise<FrozenRun | undefined> {
  const frozen = frozenRuns.get(runId) ?? (await findSnapshot(db, runId))?.snapshot;
  if (!frozen) return undefined;
  frozenRuns.delete(runId);
  frozenRuns.set(runId, frozen);
  const [oldest] = frozenRuns.keys();
  if (oldest !== undefined && frozenRuns.size > frozenRunsKept) frozenRuns.delete(oldest);
  return frozen;
}

export async function forgetKeys(tx: Querier, runId: EvalRunId): Promise<void> {
  await tx.update(evalRunSnapshots).set({ sealedModelKeys: null }).where(eq(evalRunSnapshots.runId, runId));
}

export async function setJudges(
  tx: Querier,
  id: EvalRunId,
  change: Pick<RunValues, "judges" | "judgeJobId">,
): Promise<void> {
  await tx.update(evalRuns).set(change).where(eq(evalRuns.id, id));
}

/** Runs that wait for grades, and whose job is over. */
export async function listUnjudged(db: Querier): Promise<RunRow[]> {
  const rows = await db
    .select({ run: evalRuns })
    .from(evalRuns)
    .leftJoin(jobs, eq(jobs.id, evalRuns.judgeJobId))
    .where(and(isNotNull(evalRuns.judgeJobId), isJobOver));
  return rows.map(({ run }) => run);
}

export async function findByScope(db: Querier, idempotencyScope: string): Promise<RunRow | undefined> {
  const [row] = await db.select().from(evalRuns).where(eq(evalRuns.idempotencyScope, idempotencyScope));
  return row;
}

/** The newest launch without a key that asked for the same, since then. `isOpen`: only one that has not ended. */
export async function findSameLaunch(
  db: Querier,
  asked: { suiteId: EvalSuiteId; requestHash: string; userId: UserId; since: Date; isOpen: boolean },
): Promise<RunRow | undefined> {
  const [row] = await db
    .select()
    .from(evalRuns)
    .where(
      and(
        eq(evalRuns.suiteId, asked.suiteId),
        eq(evalRuns.requestHash, asked.requestHash),
        eq(evalRuns.createdBy, asked.userId),
        isNull(evalRuns.idempotencyScope),
        isNull(evalRuns.groupId),
        gt(evalRuns.createdAt, asked.since),
        asked.isOpen ? stillOpen : undefined,
      ),
    )
    .orderBy(desc(evalRuns.createdAt))
    .limit(1);
  return row;
}

/** One at a time for each organization, until the transaction ends: two launches must not both take the last slot. */
export async function countUsedSlots(tx: Transaction, organizationId: OrganizationId): Promise<number> {
  await holdNameLock(tx, `eval-slots ${organizationId}`);
  const [row] = await tx
    .select({ used: sql<number>`count(distinct coalesce(${evalRuns.groupId}, ${evalRuns.id}))::int` })
    .from(evalRuns)
    .innerJoin(projects, eq(projects.id, evalRuns.projectId))
    // Runs made elsewhere and reported take no slot here.
    .where(and(eq(projects.organizationId, organizationId), stillOpen, isNull(evalRuns.externalRunId)));
  return row?.used ?? 0;
}

export interface RunFilter {
  projectId: ProjectId;
  suiteId?: EvalSuiteId | undefined;
  commitSha?: string | undefined;
  status?: EvalRunStatus | undefined;
  runGroupId?: EvalRunGroupId | undefined;
}

/** Where a page of the list ended. */
export async function listRuns(
  db: Querier,
  asked: RunFilter & { before?: PlaceOf<"evalRun"> | undefined; limit: number },
): Promise<RunRow[]> {
  const { before, limit } = asked;
  const { createdAt, id } = evalRuns;
  const same = <Value>(column: Parameters<typeof eq>[0], value: Value | undefined) =>
    value === undefined ? undefined : eq(column, value);
  return db
    .select()
    .from(evalRuns)
    .where(
      and(
        eq(evalRuns.projectId, asked.projectId),
        same(evalRuns.suiteId, asked.suiteId),
        same(evalRuns.commitSha, asked.commitSha),
        same(evalRuns.status, asked.status),
        asked.runGroupId === undefined
          ? undefined
          : // A run has one of the two, and an index holds both.
            sql`coalesce(${evalRuns.groupId}, ${evalRuns.groupLabel}) = ${asked.runGroupId}`,
        isAfterPlace({ at: createdAt, id }, before),
      ),
    )
    .orderBy(desc(createdAt), desc(id))
    .limit(limit);
}

/** Finished runs of the same whole suite and of that commit, the newest first. */
export async function listOfCommit(
  db: Querier,
  { suiteId, projectId, id }: RunRow,
  commitSha: string,
  limit: number,
): Promise<RunRow[]> {
  return db
    .select()
    .from(evalRuns)
    .where(
      and(
        eq(evalRuns.projectId, projectId),
        eq(evalRuns.commitSha, commitSha),
        eq(evalRuns.suiteId, suiteId),
        eq(evalRuns.status, "completed"),
        eq(evalRuns.isPartial, false),
        ne(evalRuns.id, id),
      ),
    )
    .orderBy(desc(evalRuns.createdAt), desc(evalRuns.id))
    .limit(limit);
}

/** The commits of finished runs of the same suite that begin so. */
export async function listCommits(
  db: Querier,
  { suiteId, projectId, id }: RunRow,
  prefix: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectDistinct({ commitSha: evalRuns.commitSha })
    .from(evalRuns)
    .where(
      and(
        eq(evalRuns.projectId, projectId),
        sql`starts_with(lower(${evalRuns.commitSha}), ${prefix})`,
        eq(evalRuns.suiteId, suiteId),
        eq(evalRuns.status, "completed"),
        eq(evalRuns.isPartial, false),
        ne(evalRuns.id, id),
      ),
    )
    .orderBy(asc(evalRuns.commitSha))
    .limit(limit);
  return rows.flatMap(({ commitSha }) => commitSha ?? []);
}

/** The nearest earlier finished run of the whole suite. */
export async function findPrevious(db: Querier, run: RunRow): Promise<RunRow | undefined> {
  const [row] = await db
    .select()
    .from(evalRuns)
    .where(
      and(
        eq(evalRuns.suiteId, run.suiteId),
        lt(evalRuns.runNumber, run.runNumber),
        eq(evalRuns.status, "completed"),
        eq(evalRuns.isPartial, false),
      ),
    )
    .orderBy(desc(evalRuns.runNumber))
    .limit(1);
  return row;
}
