/** @module Plugins of a project and their versions. A version is never changed once it is ready. */
import type { PluginId, PluginVersionId, ServerId } from "@fettle/contract/core";
import { isNull, sql } from "drizzle-orm";
import { boolean, index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { jsonb } from "../db/json-columns.ts";
import { instant } from "./instant.ts";
import { ofProject } from "./projects.ts";

export const plugins = pgTable(
  "plugins",
  {
    id: text("id").$type<PluginId>().primaryKey(),
    projectId: ofProject(),
    name: text("name").notNull(),
    displayName: text("display_name"),
    description: text("description"),
    enabled: boolean("enabled").notNull(),
    activeVersionId: text("active_version_id").$type<PluginVersionId>(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    /** Kept, so that old versions stay readable. */
    uninstalledAt: instant("uninstalled_at"),
  },
  (table) => [
    uniqueIndex("plugins_name").on(table.projectId, table.name).where(sql`${table.uninstalledAt} IS NULL`),
  ],
);

/** What a bundle declares besides its skills, which are rows of their own. */
export interface PluginServerComponent {
  componentId: string;
  componentKey: string;
  declaredName: string;
  placement: "remote" | "local";
  authenticationPolicy: "on_install" | "on_use";
  materializedServerId: ServerId;
}

export interface ComponentCounts {
  skills: number;
  servers: number;
  apps: number;
  assets: number;
  unsupported: number;
}

export const pluginVersions = pgTable(
  "plugin_versions",
  {
    id: text("id").$type<PluginVersionId>().primaryKey(),
    pluginId: text("plugin_id")
      .$type<PluginId>()
      .notNull()
      .references(() => plugins.id, { onDelete: "cascade" }),
    declaredVersion: text("declared_version"),
    bundleHash: text("bundle_hash").notNull(),
    manifestHash: text("manifest_hash"),
    status: text("status", { enum: ["staging", "ready", "invalid"] }).notNull(),
    /** Why it is invalid. */
    problems: text("problems").array().notNull(),
    componentCounts: jsonb("component_counts").$type<ComponentCounts>().notNull(),
    servers: jsonb("servers").$type<PluginServerComponent[]>().notNull(),
    createdAt: instant("created_at").notNull(),
    readyAt: instant("ready_at"),
  },
  (table) => [
    index("plugin_versions_plugin").on(table.pluginId),
    uniqueIndex("plugin_versions_bundle").on(table.pluginId, table.bundleHash),
  ],
);

export const installedPlugin = isNull(plugins.uninstalledAt);
export const isInstalled = (plugin: { uninstalledAt: Date | null }): boolean => plugin.uninstalledAt === null;
