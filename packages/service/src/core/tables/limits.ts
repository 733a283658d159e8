/** @module How much each caller has left. Kept in PostgreSQL so that every process counts in the same place. */
import { boolean, doublePrecision, pgTable, text, timestamp } from "drizzle-orm/pg-core";

// The migration makes this table UNLOGGED: a crash may forgive a few requests, and no request waits for the log. It has
// no index but the key and half-filled pages, so that a take rewrites its row in place.
export const rateLimits = pgTable("rate_limits", {
  /** The bucket's name and whose it is, such as `key:key_01…`. */
  id: text("id").primaryKey(),
  tokens: doublePrecision("tokens").notNull(),
  refilledAt: timestamp("refilled_at", { withTimezone: true, mode: "date" }).notNull(),
  /** What the last take was told; read back by that same take. */
  allowed: boolean("allowed").notNull(),
});
