/** @module Who has stdio servers in containers. */
import { pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "./instant.ts";

/** Processes of the service that speak to containers; one that is silent was killed, and what it had is removed. */
export const sandboxHolders = pgTable("sandbox_holders", {
  id: text("id").primaryKey(),
  seenAt: instant("seen_at").notNull(),
});
