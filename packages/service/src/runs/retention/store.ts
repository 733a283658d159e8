/** @module The SQL of deleting runs. */
import type { ProjectId } from "@fettle/contract/core";
import { and, isNotNull, sql } from "drizzle-orm";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import { evalRunTools, evalToolSnapshots } from "../../core/tables/eval-runs.ts";
import { journeyRunTools } from "../../core/tables/journey-runs.ts";
import { projects } from "../../core/tables/projects.ts";
import { scenarioSessionTools } from "../../core/tables/user-testing.ts";
import { openStatuses, type RunKind } from "../life/kind.ts";

const texts = (values: readonly string[]) => sql`${sql.param([...values])}::text[]`;

/** Locked until the transaction ends. Undefined: it is gone. */
export async function lockStatus(tx: Transaction, kind: RunKind, id: string): Promise<string | undefined> {
  const { rows } = await tx.execute<{ status: string }>(
    sql`select status from ${kind.table} where id = ${id} for update`,
  );
  return rows[0]?.status;
}

/** The oldest that have ended, locked; what somebody else has locked is passed over. */
export async function lockOld(
  tx: Transaction,
  kind: RunKind,
  { projectId, before, most }: { projectId: ProjectId; before: Date; most: number },
): Promise<string[]> {
  const { table } = kind;
  const { rows } = await tx.execute<{ id: string }>(sql`
    select id from ${table}
    where project_id = ${projectId} and created_at < ${before} and status <> all(${texts(openStatuses(kind))})
    order by created_at, id limit ${most} for update skip locked`);
  return rows.map(({ id }) => id);
}

/** With everything that belongs to them. */
export async function deleteRuns(tx: Transaction, kind: RunKind, ids: readonly string[]): Promise<void> {
  for (const statement of kind.deletes?.(texts(ids)) ?? []) await tx.execute(statement);
  await tx.execute(sql`delete from ${kind.table} where id = any(${texts(ids)})`);
}

export interface PrunedProject {
  id: ProjectId;
  days: number;
}

/** Those that do not keep runs for good, in the order of their ids, after one of them. */
export async function listPruned(db: Querier, after: string, limit: number): Promise<PrunedProject[]> {
  const rows = await db
    .select({ id: projects.id, days: projects.runDays })
    .from(projects)
    .where(and(isNotNull(projects.runDays), sql`${projects.id} > ${after}`))
    .orderBy(projects.id)
    .limit(limit);
  return rows.flatMap(({ id, days }) => (days === null ? [] : [{ id, days }]));
}

/**
 * What servers offered, where no run and no visit names it any more. Looked for once more while it is held: whoever starts to need it
 * meanwhile either has it held, or finds it gone and writes it again (`keepSnapshot`). Answers how many were looked at.
 */
export async function deleteUnusedSnapshots(tx: Transaction, most: number): Promise<number> {
  const isUnused = sql`
    not exists (select 1 from ${evalRunTools} as own join eval_runs as run on run.id = own.run_id
      where own.hash = held.hash and run.project_id = held.project_id)
    and not exists (select 1 from ${journeyRunTools} as own join journey_runs as run on run.id = own.run_id
      where own.hash = held.hash and run.project_id = held.project_id)
    and not exists (select 1 from ${scenarioSessionTools} as own where own.hash = held.hash)`;
  const { rows } = await tx.execute<{ hash: string }>(sql`
    select hash from ${evalToolSnapshots} as held where ${isUnused} limit ${most} for update skip locked`);
  if (rows.length === 0) return 0;
  await tx.execute(sql`
    delete from ${evalToolSnapshots} as held
    where hash = any(${texts(rows.map(({ hash }) => hash))}) and ${isUnused}`);
  return rows.length;
}
