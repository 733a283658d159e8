/** @module Several statements as one, whether or not the caller already holds a transaction. */
import type { Querier, Transaction } from "./pool.ts";

/** Runs `work` in a transaction of its own, or as a part of the caller's that is undone alone. */
export function inTransaction<T>(db: Querier, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return db.transaction(work);
}
