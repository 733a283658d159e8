/** @module Documents of widgets while they are shown; any process may be asked for one. */
import type { ServerId, UserId } from "@fettle/contract";
import { index, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { users } from "./accounts.ts";
import { instant } from "./instant.ts";
import { servers } from "./servers.ts";

export const widgetDocuments = pgTable(
  "widget_documents",
  {
    /** 128 random bits: to know it is to be let in, for the origin of widgets takes no other credential. */
    id: text("id").primaryKey(),
    serverId: text("server_id")
      .$type<ServerId>()
      .notNull()
      .references(() => servers.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    html: text("html").notNull(),
    policy: text("policy").notNull(),
    allow: text("allow").notNull(),
    /** What browsers refused it. */
    refusals: jsonb("refusals").$type<{ directive: string; blocked: string }[]>().notNull().default([]),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    index("widget_documents_person").on(table.userId, table.expiresAt),
    index("widget_documents_expiry").on(table.expiresAt),
  ],
);
