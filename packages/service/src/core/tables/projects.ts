/** @module Projects and who may work in them. */
import type { ProjectId } from "@fettle/contract/core";
import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { author, goesWithOrganization, goesWithUser } from "./accounts.ts";
import { instant } from "./instant.ts";

export const projects = pgTable(
  "projects",
  {
    id: text("id").$type<ProjectId>().primaryKey(),
    organizationId: goesWithOrganization(),
    name: text("name").notNull(),
    description: text("description"),
    icon: text("icon"),
    visibility: text("visibility", { enum: ["public", "private"] })
      .notNull()
      .default("public"),
    /** Of its servers' history; null where nobody has said. */
    historyDays: integer("history_days"),
    historyEntries: integer("history_entries"),
    /** Of runs of every kind; null keeps them. */
    runDays: integer("run_days"),
    /** What `default` in a path stands for. */
    isDefault: boolean("is_default").notNull().default(false),
    createdBy: author("created_by"),
    createdAt: instant("created_at").notNull().defaultNow(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (table) => [
    index("projects_organization").on(table.organizationId, table.updatedAt),
    uniqueIndex("projects_default").on(table.organizationId).where(sql`is_default`),
  ],
);

/** What belongs to a project goes with it. */
export const ofProject = () =>
  text("project_id")
    .$type<ProjectId>()
    .notNull()
    .references(() => projects.id, { onDelete: "cascade" });

/** A grant to one person on one project, beside what their organization role gives. */
export const projectMembers = pgTable(
  "project_members",
  {
    projectId: text("project_id")
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    userId: goesWithUser(),
    role: text("role", { enum: ["admin", "editor"] }).notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.userId] }),
    index("project_members_user").on(table.userId),
  ],
);
