/** @module Environments: named ones are unique by name while live, ad-hoc ones by the fingerprint of their stack. */
import type {
  ClientId,
  EnvironmentId,
  Id,
  PluginVersionId,
  ServerGroupId,
  SkillId,
} from "@fettle/contract/core";
import { isNull, sql } from "drizzle-orm";
import { index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { author } from "./accounts.ts";
import { clients } from "./clients.ts";
import { instant } from "./instant.ts";
import { ofProject } from "./projects.ts";
import { serverGroups } from "./server-groups.ts";

export const environments = pgTable(
  "environments",
  {
    id: text("id").$type<EnvironmentId>().primaryKey(),
    projectId: ofProject(),
    /** Null: ad-hoc. */
    name: text("name"),
    description: text("description"),
    hostId: text("host_id")
      .$type<ClientId>()
      .notNull()
      .references(() => clients.id),
    serverAttachmentId: text("server_attachment_id")
      .$type<ServerGroupId>()
      .references(() => serverGroups.id),
    modelId: text("model_id"),
    skillIds: text("skill_ids").array().$type<SkillId[]>(),
    pluginVersionIds: text("plugin_version_ids").array().$type<PluginVersionId[]>(),
    sandboxImageId: text("sandbox_image_id").$type<Id<"sandboxImage">>(),
    /** The digest of an ad-hoc stack; dropped when it is given a name. */
    fingerprint: text("fingerprint"),
    revision: integer("revision").notNull().default(1),
    archivedAt: instant("archived_at"),
    createdBy: author("created_by"),
    updatedBy: author("updated_by"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    uniqueIndex("environments_name")
      .on(table.projectId, sql`lower(${table.name})`)
      .where(sql`${table.archivedAt} IS NULL AND ${table.name} IS NOT NULL`),
    uniqueIndex("environments_fingerprint")
      .on(table.projectId, table.fingerprint)
      .where(sql`${table.fingerprint} IS NOT NULL`),
    index("environments_host").on(table.hostId),
  ],
);

export const unarchived = isNull(environments.archivedAt);
