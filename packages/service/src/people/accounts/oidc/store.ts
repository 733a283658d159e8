/** @module The SQL of sign-ins at a provider that are under way. */
import { lt } from "drizzle-orm";
import type { Querier } from "../../../core/db/pool.ts";
import { usedStates } from "../../../core/tables/accounts.ts";

/** True for the first who brings the state, whichever process they come to. */
export async function takeState(db: Querier, stateHash: string, expiresAt: Date): Promise<boolean> {
  const { rowCount } = await db.insert(usedStates).values({ stateHash, expiresAt }).onConflictDoNothing();
  return rowCount === 1;
}

export async function deleteLapsedStates(db: Querier, now: Date): Promise<void> {
  await db.delete(usedStates).where(lt(usedStates.expiresAt, now));
}
