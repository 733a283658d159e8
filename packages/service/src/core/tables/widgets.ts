/** @module Documents of widgets while they are shown; any process may be asked for one. */
import type { UserId, VisitorId } from "@fettle/contract/core";
import { index, pgTable, text } from "drizzle-orm/pg-core";
import { jsonb } from "../db/json-columns.ts";
import { users } from "./accounts.ts";
import { instant } from "./instant.ts";
import { goesWithServer } from "./servers.ts";
import { scenarioVisitors } from "./user-testing.ts";

export const widgetDocuments = pgTable(
  "widget_documents",
  {
    /** 128 random bits: to know it is to be let in, for the origin of widgets takes no other credential. */
    id: text("id").primaryKey(),
    serverId: goesWithServer(),
    /** Whoever looks at it: somebody with an account, or a visitor. */
    userId: text("user_id")
      .$type<UserId>()
      .references(() => users.id, { onDelete: "cascade" }),
    visitorId: text("visitor_id")
      .$type<VisitorId>()
      .references(() => scenarioVisitors.id, { onDelete: "cascade" }),
    html: text("html").notNull(),
    policy: text("policy").notNull(),
    allow: text("allow").notNull(),
    /** What browsers refused it. */
    refusals: jsonb("refusals").$type<{ directive: string; blocked: string }[]>().notNull().default([]),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    index("widget_documents_person").on(table.userId, table.expiresAt),
    index("widget_documents_visitor").on(table.visitorId, table.expiresAt),
    index("widget_documents_expiry").on(table.expiresAt),
  ],
);
