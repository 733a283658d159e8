/** @module Several statements as one, whether or not the caller already holds a transaction. */
import type { Database, Querier, Transaction } from "./pool.ts";

/** Runs `work` in a transaction of its own, or as a part of the caller's that is undone alone. */
export function inTransaction<T>(db: Querier, work: (tx: Transaction) => Promise<T>): Promise<T> {
  // Both kinds have this method; their union is not callable because each declares it as a generic of its own.
  return (db as Database).transaction(work);
}
