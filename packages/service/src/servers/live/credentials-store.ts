/** @module The SQL of OAuth credentials for saved servers. */
import type { ServerId, UserId } from "@fettle/contract/core";
import { and, eq } from "drizzle-orm";
import { holdNameLock } from "../../core/db/name-lock.ts";
import type { Database, Querier } from "../../core/db/pool.ts";
import { withoutQueryTimeout } from "../../core/db/query-timeout.ts";
import { serverCredentials } from "../../core/tables/live.ts";

export type CredentialRow = typeof serverCredentials.$inferSelect;

export async function findCredential(
  db: Querier,
  serverId: ServerId,
  userId: UserId,
): Promise<CredentialRow | undefined> {
  const [row] = await db
    .select()
    .from(serverCredentials)
    .where(and(eq(serverCredentials.serverId, serverId), eq(serverCredentials.userId, userId)));
  return row;
}

export async function putCredential(db: Querier, row: CredentialRow): Promise<void> {
  const { sealed, serverUrl, updatedAt } = row;
  await db
    .insert(serverCredentials)
    .values(row)
    .onConflictDoUpdate({
      target: [serverCredentials.serverId, serverCredentials.userId],
      set: { sealed, serverUrl, updatedAt },
    });
}

/** Runs `work` while no other process may refresh the same credential; a refresh token may be good only once. */
export function holdingCredential<T>(
  db: Database,
  serverId: ServerId,
  userId: UserId,
  work: (db: Querier) => Promise<T>,
): Promise<T> {
  return db.transaction(async (transaction) => {
    // Whoever has it may be asking a slow authorization server.
    await withoutQueryTimeout(() => holdNameLock(transaction, `${serverId}/${userId}`));
    return work(transaction);
  });
}
