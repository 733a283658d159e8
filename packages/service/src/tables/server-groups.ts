/** @module Server groups: rows that are written once. */
import type { ProjectId, ServerGroupId, ServerId, UserId } from "@fettle/contract";
import { sql } from "drizzle-orm";
import { pgTable, text, timestamp, uniqueIndex } from "drizzle-orm/pg-core";
import { users } from "./accounts.ts";
import { projects } from "./projects.ts";

export const serverGroups = pgTable(
  "server_groups",
  {
    id: text("id").$type<ServerGroupId>().primaryKey(),
    projectId: text("project_id")
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    description: text("description"),
    // Copies, not references: what the servers become later must not change what a run was composed against.
    serverIds: text("server_ids").array().$type<ServerId[]>().notNull(),
    serverNames: text("server_names").array().notNull(),
    createdBy: text("created_by")
      .$type<UserId>()
      .references(() => users.id, { onDelete: "set null" }),
    createdAt: timestamp("created_at", { withTimezone: true, precision: 3, mode: "date" }).notNull(),
  },
  (table) => [uniqueIndex("server_groups_name").on(table.projectId, sql`lower(${table.name})`)],
);
