/** @module The SQL of the first run. */
import { count, eq, sql } from "drizzle-orm";
import type { Querier } from "../../../core/db/pool.ts";
import { setupTokens, users } from "../../../core/tables/accounts.ts";

/** Differs from the number migrations lock with; otherwise any would do. */
const setupLock = 7_400_002;

/** Held until the transaction ends, so that of two claims the second sees what the first has done. */
export async function lockSetup(tx: Querier): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${setupLock})`);
}

export async function hasPeople(db: Querier): Promise<boolean> {
  const rows = await db.select({ id: users.id }).from(users).limit(1);
  return rows.length > 0;
}

export async function insertSetupToken(db: Querier, tokenHash: string, createdAt: Date): Promise<void> {
  await db.insert(setupTokens).values({ tokenHash, createdAt });
}

export async function isSetupToken(db: Querier, tokenHash: string): Promise<boolean> {
  const rows = await db
    .select({ found: count() })
    .from(setupTokens)
    .where(eq(setupTokens.tokenHash, tokenHash));
  return rows[0]?.found === 1;
}

export async function deleteSetupTokens(db: Querier): Promise<void> {
  await db.delete(setupTokens);
}
