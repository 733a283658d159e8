/** @module Server groups: rows that are written once. */
import type { ServerGroupId, ServerId } from "@fettle/contract/core";
import { sql } from "drizzle-orm";
import { pgTable, text, timestamp, uniqueIndex } from "drizzle-orm/pg-core";
import { author } from "./accounts.ts";
import { ofProject } from "./projects.ts";

export const serverGroups = pgTable(
  "server_groups",
  {
    id: text("id").$type<ServerGroupId>().primaryKey(),
    projectId: ofProject(),
    name: text("name").notNull(),
    description: text("description"),
    // Copies, not references: what the servers become later must not change what a run was composed against.
    serverIds: text("server_ids").array().$type<ServerId[]>().notNull(),
    serverNames: text("server_names").array().notNull(),
    createdBy: author("created_by"),
    createdAt: timestamp("created_at", { withTimezone: true, precision: 3, mode: "date" }).notNull(),
  },
  (table) => [uniqueIndex("server_groups_name").on(table.projectId, sql`lower(${table.name})`)],
);
