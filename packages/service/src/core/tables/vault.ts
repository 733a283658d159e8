/** @module One sealed value that every start opens, so that a wrong key is noticed before anything is sealed with it. */
import { pgTable, text } from "drizzle-orm/pg-core";

export const vaultChecks = pgTable("vault_checks", {
  /** There is one row. */
  id: text("id").primaryKey(),
  sealed: text("sealed").notNull(),
});
