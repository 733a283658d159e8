/** @module A name that one transaction at a time holds: whoever else wants it waits until that ends, in whichever process. */
import { sql } from "drizzle-orm";
import type { Transaction } from "./pool.ts";

export async function holdNameLock(tx: Transaction, name: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}
