/** @module The SQL of readiness runs, apart from what all kinds of runs share (`runs/store.ts`). */
import type { ProjectId, ReadinessRunId, ServerId, UserId } from "@fettle/contract/core";
import type { ReadinessKind } from "@fettle/contract/servers";
import { and, desc, eq, getTableColumns, sql } from "drizzle-orm";
import type { Querier } from "../../core/db/pool.ts";
import { readinessRuns } from "../../core/tables/readiness.ts";

const { report: _report, ...head } = getTableColumns(readinessRuns);
export const columns = { ...head, hasReport: sql<boolean>`${readinessRuns.report} is not null` };

/** Without its report, which is long. */
export type RunRow = Omit<typeof readinessRuns.$inferSelect, "report"> & { hasReport: boolean };
export type RunValues = typeof readinessRuns.$inferInsert;

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
