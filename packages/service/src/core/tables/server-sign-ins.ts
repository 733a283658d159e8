/** @module Watched sign-ins to saved servers: one per person and server, sealed as a whole. */
import { integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { goesWithUser } from "./accounts.ts";
import { instant } from "./instant.ts";
import { goesWithServer } from "./servers.ts";

export const serverSignIns = pgTable(
  "server_sign_ins",
  {
    serverId: goesWithServer(),
    userId: goesWithUser(),
    /** Counts every step forward: of two who want to take it, one does. */
    revision: integer("revision").notNull(),
    /** Somebody takes it further until then, or has died over it. */
    busyUntil: instant("busy_until"),
    /** SHA-256 of the `state` sent along; gone once it came back. */
    stateHash: text("state_hash").unique(),
    /** The flow's memory, and what is shown of it. */
    sealed: text("sealed").notNull(),
    updatedAt: instant("updated_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.serverId, table.userId] })],
);
