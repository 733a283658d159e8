/** @module OAuth credentials for saved servers: one per person and server, sealed. */
import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { goesWithUser } from "./accounts.ts";
import { instant } from "./instant.ts";
import { goesWithServer } from "./servers.ts";

export const serverCredentials = pgTable(
  "server_credentials",
  {
    serverId: goesWithServer(),
    userId: goesWithUser(),
    /** The address they were obtained for; another address gets nothing. */
    serverUrl: text("server_url").notNull(),
    /** Tokens, client and the pinned issuer and resource. */
    sealed: text("sealed").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.serverId, table.userId] })],
);
