/** @module The SQL of readiness runs. A run that has ended is never changed again. */
import type { ProjectId, ReadinessKind, ReadinessRunId, ServerId, UserId } from "@fettle/contract";
import { and, desc, eq, getTableColumns, inArray, sql } from "drizzle-orm";
import type { Querier } from "../db/pool.ts";
import { isJobOver, jobs } from "../tables/jobs.ts";
import { readinessRuns } from "../tables/readiness.ts";

const { report: _report, ...head } = getTableColumns(readinessRuns);
const columns = { ...head, hasReport: sql<boolean>`${readinessRuns.report} is not null` };

/** Without its report, which is long. */
export type RunRow = Omit<typeof readinessRuns.$inferSelect, "report"> & { hasReport: boolean };

const isOpen = inArray(readinessRuns.status, ["pending", "running"]);

/** Nothing when the idempotency key is already taken. */
export async function insertRun(
  tx: Querier,
  values: typeof readinessRuns.$inferInsert,
): Promise<RunRow | undefined> {
  const [row] = await tx.insert(readinessRuns).values(values).onConflictDoNothing().returning(columns);
  return row;
}

export async function findByIdempotencyKey(
  db: Querier,
  asked: { serverId: ServerId; kind: ReadinessKind; userId: UserId; key: string },
): Promise<RunRow | undefined> {
  const [row] = await db
    .select(columns)
    .from(readinessRuns)
    .where(
      and(
        eq(readinessRuns.serverId, asked.serverId),
        eq(readinessRuns.readinessKind, asked.kind),
        eq(readinessRuns.createdBy, asked.userId),
        eq(readinessRuns.idempotencyKey, asked.key),
      ),
    );
  return row;
}

export async function findRun(
  db: Querier,
  projectId: ProjectId,
  id: ReadinessRunId,
): Promise<RunRow | undefined> {
  const [row] = await db
    .select(columns)
    .from(readinessRuns)
    .where(and(eq(readinessRuns.id, id), eq(readinessRuns.projectId, projectId)));
  return row;
}

export async function findReport(db: Querier, id: ReadinessRunId): Promise<string | undefined> {
  const [row] = await db
    .select({ report: readinessRuns.report })
    .from(readinessRuns)
    .where(eq(readinessRuns.id, id));
  return row?.report ?? undefined;
}

export async function listRuns(
  db: Querier,
  asked: {
    projectId: ProjectId;
    kind: ReadinessKind | undefined;
    serverId: ServerId | undefined;
    limit: number;
  },
): Promise<RunRow[]> {
  return db
    .select(columns)
    .from(readinessRuns)
    .where(
      and(
        eq(readinessRuns.projectId, asked.projectId),
        asked.kind && eq(readinessRuns.readinessKind, asked.kind),
        asked.serverId && eq(readinessRuns.serverId, asked.serverId),
      ),
    )
    .orderBy(desc(readinessRuns.createdAt), desc(readinessRuns.id))
    .limit(asked.limit);
}

export async function updateOpenRun(
  tx: Querier,
  id: ReadinessRunId,
  change: Partial<typeof readinessRuns.$inferInsert>,
): Promise<RunRow | undefined> {
  const [row] = await tx
    .update(readinessRuns)
    .set(change)
    .where(and(eq(readinessRuns.id, id), isOpen))
    .returning(columns);
  return row;
}

/** Runs whose job is over without having ended them. */
export async function listAbandoned(db: Querier): Promise<RunRow[]> {
  return db
    .select(columns)
    .from(readinessRuns)
    .leftJoin(jobs, eq(jobs.id, readinessRuns.jobId))
    .where(and(isOpen, isJobOver));
}
