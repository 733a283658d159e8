/** @module OAuth credentials for saved servers: one per person and server, sealed. */
import type { ServerId, UserId } from "@fettle/contract";
import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { users } from "./accounts.ts";
import { instant } from "./instant.ts";
import { servers } from "./servers.ts";

export const serverCredentials = pgTable(
  "server_credentials",
  {
    serverId: text("server_id")
      .$type<ServerId>()
      .notNull()
      .references(() => servers.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The address they were obtained for; another address gets nothing. */
    serverUrl: text("server_url").notNull(),
    /** Tokens, client and the pinned issuer and resource. */
    sealed: text("sealed").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.serverId, table.userId] })],
);
