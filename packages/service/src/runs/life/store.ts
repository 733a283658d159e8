/** @module The SQL that runs of every kind share. A run that has ended is never changed again. */
import { and, eq, getTableColumns, inArray } from "drizzle-orm";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import { isJobOver, jobs } from "../../core/tables/jobs.ts";
import { openStatuses, type RunHead, type RunKind } from "./kind.ts";

const columnsOf = ({ columns, table }: RunKind) => columns ?? getTableColumns(table);

// What comes back are the columns of the kind's table, or those that it reads: its row.
const asRow = <Row>([row]: object[]) => row as Row | undefined;

/** Undefined when one of its unique keys is already taken. */
export async function insertRun<Row extends RunHead, Values extends object, Own>(
  tx: Transaction,
  kind: RunKind<Row, Values, Own>,
  values: object,
): Promise<Row | undefined> {
  return asRow<Row>(
    await tx.insert(kind.table).values(values).onConflictDoNothing().returning(columnsOf(kind)),
  );
}

export async function findRun<Row extends RunHead, Values extends object, Own>(
  db: Querier,
  kind: RunKind<Row, Values, Own>,
  id: string,
): Promise<Row | undefined> {
  return asRow<Row>(await db.select(columnsOf(kind)).from(kind.table).where(eq(kind.table.id, id)));
}

/** Until the transaction ends nobody else changes or ends it. */
export async function lockRun<Row extends RunHead, Values extends object, Own>(
  tx: Transaction,
  kind: RunKind<Row, Values, Own>,
  id: string,
): Promise<Row | undefined> {
  const { table } = kind;
  return asRow<Row>(await tx.select(columnsOf(kind)).from(table).where(eq(table.id, id)).for("update"));
}

/** Undefined when it has ended. */
export async function updateOpenRun<Row extends RunHead, Values extends object, Own>(
  tx: Querier,
  kind: RunKind<Row, Values, Own>,
  id: string,
  change: Partial<Values> | { status: string } | Pick<RunHead, "jobId">,
): Promise<Row | undefined> {
  const { table } = kind;
  const isIt = and(eq(table.id, id), inArray(table.status, openStatuses(kind)));
  return asRow<Row>(await tx.update(table).set(change).where(isIt).returning(columnsOf(kind)));
}

export async function listLost<Row extends RunHead, Values extends object, Own>(
  db: Querier,
  kind: RunKind<Row, Values, Own>,
  now: number,
): Promise<string[]> {
  const { table } = kind;
  const rows = await db
    .select({ id: table.id })
    .from(table)
    .leftJoin(jobs, eq(jobs.id, table.jobId))
    .where(and(inArray(table.status, openStatuses(kind)), kind.lost ? kind.lost(now) : isJobOver));
  return rows.map(({ id }) => String(id));
}
