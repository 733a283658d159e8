/** @module Skills: drafts of one person, those shared with the project, and those that came inside a plugin. */
import type { PluginVersionId, SkillId } from "@fettle/contract/core";
import { sql } from "drizzle-orm";
import { index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { jsonb } from "../db/json-columns.ts";
import { author } from "./accounts.ts";
import { instant } from "./instant.ts";
import { pluginVersions } from "./plugins.ts";
import { ofProject } from "./projects.ts";

export const skills = pgTable(
  "skills",
  {
    id: text("id").$type<SkillId>().primaryKey(),
    projectId: ofProject(),
    /** Null for a plugin's skill, and when the person is gone. */
    ownerId: author("owner_id"),
    /** Set: a component of that version. */
    pluginVersionId: text("plugin_version_id")
      .$type<PluginVersionId>()
      .references(() => pluginVersions.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    description: text("description").notNull(),
    sharing: text("sharing", { enum: ["user", "project"] }).notNull(),
    /** SKILL.md as it was written. */
    source: text("source").notNull(),
    /** The body of SKILL.md, without its front matter. */
    content: text("content").notNull(),
    /** Names of front matter fields beyond name and description. */
    extraFrontmatter: text("extra_frontmatter").array().notNull(),
    /** Other files, base64 by path. */
    files: jsonb("files").$type<Record<string, string>>().notNull(),
    aggregateHash: text("aggregate_hash").notNull(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    index("skills_project").on(table.projectId),
    uniqueIndex("skills_shared_name")
      .on(table.projectId, table.name)
      .where(sql`${table.sharing} = 'project' AND ${table.pluginVersionId} IS NULL`),
    uniqueIndex("skills_draft_name")
      .on(table.projectId, table.ownerId, table.name)
      .where(sql`${table.sharing} = 'user' AND ${table.pluginVersionId} IS NULL`),
  ],
);
