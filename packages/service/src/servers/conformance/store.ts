/** @module The SQL of conformance runs, apart from what all kinds of runs share (`runs/store.ts`). */

import type { ConformanceRunId, ProjectId, ServerId } from "@fettle/contract/core";
import type { ConformanceSuite } from "@fettle/contract/servers";
import { and, arrayOverlaps, desc, eq, exists, getTableColumns, inArray, sql } from "drizzle-orm";
import { isAfterPlace } from "../../core/db/keyset.ts";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import { asJsonb } from "../../core/db/storable.ts";
import type { PlaceOf } from "../../core/routing/page.ts";
import { conformanceReports, conformanceRuns } from "../../core/tables/conformance.ts";

export type RunRow = typeof conformanceRuns.$inferSelect;
export type RunValues = typeof conformanceRuns.$inferInsert;
export type ReportRow = typeof conformanceReports.$inferSelect;
/** A report without its text. */
export type ReportHead = Omit<ReportRow, "report" | "contentHash">;
export interface RunWithReports extends RunRow {
  reports: ReportHead[];
}

const { report: _report, contentHash: _hash, ...head } = getTableColumns(conformanceReports);

export async function findByExternalId(
  db: Querier,
  projectId: ProjectId,
  externalRunId: string,
): Promise<RunRow | undefined> {
  const { projectId: project, externalRunId: external } = conformanceRuns;
  const [row] = await db
    .select()
    .from(conformanceRuns)
    .where(and(eq(project, projectId), eq(external, externalRunId)));
  return row;
}

export async function findByIdempotencyKey(
  db: Querier,
  serverId: ServerId,
  key: string,
): Promise<RunRow | undefined> {
  const [row] = await db
    .select()
    .from(conformanceRuns)
    .where(and(eq(conformanceRuns.serverId, serverId), eq(conformanceRuns.idempotencyKey, key)));
  return row;
}

export async function findRun(
  db: Querier,
  projectId: ProjectId,
  id: ConformanceRunId,
): Promise<RunWithReports | undefined> {
  const [row] = await db
    .select()
    .from(conformanceRuns)
    .where(and(eq(conformanceRuns.id, id), eq(conformanceRuns.projectId, projectId)));
  return row && { ...row, reports: await listHeads(db, [id]) };
}

export async function listRuns(
  db: Querier,
  asked: {
    projectId: ProjectId;
    serverId?: ServerId | undefined;
    before?: PlaceOf<"conformanceRun"> | undefined;
    limit: number;
  },
): Promise<RunWithReports[]> {
  const { projectId, serverId, before, limit } = asked;
  const { createdAt, id } = conformanceRuns;
  const rows = await db
    .select()
    .from(conformanceRuns)
    .where(
      and(
        eq(conformanceRuns.projectId, projectId),
        serverId === undefined ? undefined : eq(conformanceRuns.serverId, serverId),
        isAfterPlace({ at: createdAt, id }, before),
      ),
    )
    .orderBy(desc(createdAt), desc(id))
    .limit(limit);
  const heads = await listHeads(
    db,
    rows.map((row) => row.id),
  );
  return rows.map((row) => ({ ...row, reports: heads.filter(({ runId }) => runId === row.id) }));
}

/** The last one that ended before it, on the same server, with a report of a suite that both were asked for. */
export async function findEarlierRun(db: Querier, run: RunRow): Promise<RunWithReports | undefined> {
  if (run.serverId === null) return undefined;
  const { createdAt, id, serverId, projectId, status, requestedSuites } = conformanceRuns;
  const [row] = await db
    .select()
    .from(conformanceRuns)
    .where(
      and(
        eq(projectId, run.projectId),
        eq(serverId, run.serverId),
        eq(status, "completed"),
        arrayOverlaps(requestedSuites, run.requestedSuites),
        isAfterPlace({ at: createdAt, id }, { at: run.createdAt, id: run.id }),
        exists(db.select().from(conformanceReports).where(eq(conformanceReports.runId, id))),
      ),
    )
    .orderBy(desc(createdAt), desc(id))
    .limit(1);
  return row && { ...row, reports: await listHeads(db, [row.id]) };
}

/** Where a page of the list ended. */
async function listHeads(db: Querier, runIds: ConformanceRunId[]): Promise<ReportHead[]> {
  if (runIds.length === 0) return [];
  return db.select(head).from(conformanceReports).where(inArray(conformanceReports.runId, runIds));
}

/** Holds the run until the transaction ends, so that nothing is added to one that is being closed. */
export async function lockRun(
  tx: Transaction,
  projectId: ProjectId,
  id: ConformanceRunId,
): Promise<RunRow | undefined> {
  const [row] = await tx
    .select()
    .from(conformanceRuns)
    .where(and(eq(conformanceRuns.id, id), eq(conformanceRuns.projectId, projectId)))
    .for("update");
  return row;
}

export async function findReport(
  db: Querier,
  runId: ConformanceRunId,
  suiteKind: ConformanceSuite,
): Promise<ReportRow | undefined> {
  const [row] = await db
    .select()
    .from(conformanceReports)
    .where(and(eq(conformanceReports.runId, runId), eq(conformanceReports.suiteKind, suiteKind)));
  return row;
}

export async function listReports(db: Querier, runId: ConformanceRunId): Promise<ReportRow[]> {
  return db.select().from(conformanceReports).where(eq(conformanceReports.runId, runId));
}

export async function insertReport(tx: Querier, row: typeof conformanceReports.$inferInsert): Promise<void> {
  await tx.insert(conformanceReports).values(row);
}

/** Of a run that is locked and open. */
export async function noteFault(
  tx: Querier,
  id: ConformanceRunId,
  kind: ConformanceSuite,
  fault: string,
): Promise<void> {
  const faults = sql`${conformanceRuns.faults} || ${asJsonb({ [kind]: fault })}`;
  await tx.update(conformanceRuns).set({ faults }).where(eq(conformanceRuns.id, id));
}
