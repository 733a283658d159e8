/** @module The SQL of saved calls. */
import type { SavedCallId, ServerId } from "@fettle/contract/core";
import { and, asc, desc, eq, getTableColumns, isNotNull, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import { users } from "../../core/tables/accounts.ts";
import { savedCalls } from "../../core/tables/server-history.ts";
import { servers } from "../../core/tables/servers.ts";
import type { HistoryDetailRow } from "./store.ts";

const makers = alias(users, "makers");
const changers = alias(users, "changers");
const columns = { ...getTableColumns(savedCalls), createdByName: makers.name, updatedByName: changers.name };

export type SavedCallRow = typeof savedCalls.$inferSelect & {
  createdByName: string | null;
  updatedByName: string | null;
};

const selected = (db: Querier) =>
  db
    .select(columns)
    .from(savedCalls)
    .leftJoin(makers, eq(makers.id, savedCalls.createdBy))
    .leftJoin(changers, eq(changers.id, savedCalls.updatedBy));

export async function listCalls(db: Querier, serverId: ServerId): Promise<SavedCallRow[]> {
  return selected(db)
    .where(eq(savedCalls.serverId, serverId))
    .orderBy(asc(sql`lower(${savedCalls.name})`), asc(savedCalls.id));
}

/** By its id, or else by its name. */
export async function findCall(
  db: Querier,
  serverId: ServerId,
  idOrName: string,
): Promise<SavedCallRow | undefined> {
  const isId = sql`${savedCalls.id} = ${idOrName}`;
  const [row] = await selected(db)
    .where(
      and(
        eq(savedCalls.serverId, serverId),
        or(isId, sql`lower(${savedCalls.name}) = lower(${idOrName}::text)`),
      ),
    )
    .orderBy(desc(isId))
    .limit(1);
  return row;
}

export async function countCalls(db: Querier, serverId: ServerId): Promise<number> {
  return db.$count(savedCalls, eq(savedCalls.serverId, serverId));
}

export async function insertCall(db: Querier, values: typeof savedCalls.$inferInsert): Promise<void> {
  await db.insert(savedCalls).values(values);
}

export async function updateCall(
  db: Querier,
  id: SavedCallId,
  change: Partial<typeof savedCalls.$inferInsert>,
): Promise<void> {
  await db.update(savedCalls).set(change).where(eq(savedCalls.id, id));
}

/** Undefined: somebody has removed it meanwhile. */
export async function lockCall(tx: Transaction, id: SavedCallId): Promise<{ updatedAt: Date } | undefined> {
  const [row] = await tx
    .select({ updatedAt: savedCalls.updatedAt })
    .from(savedCalls)
    .where(eq(savedCalls.id, id))
    .for("update");
  return row;
}

/** The next result is compared with this one, however long the history is kept. */
export function lastOf(entry: HistoryDetailRow) {
  return {
    lastEntryId: entry.id,
    lastOutcome: entry.outcome,
    lastSummary: entry.summary,
    lastAt: entry.at,
    lastDurationMs: entry.durationMs,
    lastResult: entry.result,
    isLastCut: entry.isResultCut,
  };
}

export async function deleteCall(db: Querier, id: SavedCallId): Promise<void> {
  await db.delete(savedCalls).where(eq(savedCalls.id, id));
}

export async function deleteOfDeletedServers(db: Querier): Promise<void> {
  const gone = db.select({ id: servers.id }).from(servers).where(isNotNull(servers.deletedAt));
  await db.delete(savedCalls).where(sql`${savedCalls.serverId} in ${gone}`);
}
