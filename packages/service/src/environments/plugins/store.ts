/** @module The SQL of plugins and their versions. */
import type { PluginId, PluginVersionId, ProjectId, SkillId } from "@fettle/contract/core";
import { and, desc, eq, inArray } from "drizzle-orm";
import { oneRow } from "../../core/db/one-row.ts";
import type { Querier } from "../../core/db/pool.ts";
import { installedPlugin, plugins, pluginVersions } from "../../core/tables/plugins.ts";
import { liveServer, servers } from "../../core/tables/servers.ts";
import { skills } from "../../core/tables/skills.ts";

export type PluginRow = typeof plugins.$inferSelect;
export type PluginVersionRow = typeof pluginVersions.$inferSelect;

export async function listPlugins(db: Querier, projectId: ProjectId): Promise<PluginRow[]> {
  return db
    .select()
    .from(plugins)
    .where(and(eq(plugins.projectId, projectId), installedPlugin))
    .orderBy(plugins.name);
}

export async function findPlugin(
  db: Querier,
  projectId: ProjectId,
  id: PluginId,
): Promise<PluginRow | undefined> {
  const [row] = await db
    .select()
    .from(plugins)
    .where(and(eq(plugins.id, id), eq(plugins.projectId, projectId), installedPlugin));
  return row;
}

/** The installed plugin of that name, made when there is none; locked, so that uploads of one plugin queue up. */
export async function ensurePlugin(db: Querier, values: typeof plugins.$inferInsert): Promise<PluginRow> {
  await db.insert(plugins).values(values).onConflictDoNothing();
  return oneRow(
    await db
      .select()
      .from(plugins)
      .where(and(eq(plugins.projectId, values.projectId), eq(plugins.name, values.name), installedPlugin))
      .for("update"),
  );
}

export async function updatePlugin(
  db: Querier,
  id: PluginId,
  change: Partial<typeof plugins.$inferInsert> & { updatedAt: Date },
): Promise<PluginRow | undefined> {
  const [row] = await db
    .update(plugins)
    .set(change)
    .where(and(eq(plugins.id, id), installedPlugin))
    .returning();
  return row;
}

export async function insertVersion(
  db: Querier,
  values: typeof pluginVersions.$inferInsert,
): Promise<PluginVersionRow> {
  return oneRow(await db.insert(pluginVersions).values(values).returning());
}

export async function settleVersion(
  db: Querier,
  id: PluginVersionId,
  change: Pick<PluginVersionRow, "status" | "servers" | "readyAt">,
): Promise<PluginVersionRow> {
  return oneRow(await db.update(pluginVersions).set(change).where(eq(pluginVersions.id, id)).returning());
}

export async function findVersionOfBundle(
  db: Querier,
  pluginId: PluginId,
  bundleHash: string,
): Promise<PluginVersionRow | undefined> {
  const [row] = await db
    .select()
    .from(pluginVersions)
    .where(and(eq(pluginVersions.pluginId, pluginId), eq(pluginVersions.bundleHash, bundleHash)));
  return row;
}

/** Also of an uninstalled plugin: old versions stay readable. */
export async function findVersion(
  db: Querier,
  id: PluginVersionId,
): Promise<{ version: PluginVersionRow; plugin: PluginRow } | undefined> {
  const [row] = await db
    .select({ version: pluginVersions, plugin: plugins })
    .from(pluginVersions)
    .innerJoin(plugins, eq(plugins.id, pluginVersions.pluginId))
    .where(eq(pluginVersions.id, id));
  return row;
}

export async function listVersions(db: Querier, pluginId: PluginId): Promise<PluginVersionRow[]> {
  return db
    .select()
    .from(pluginVersions)
    .where(eq(pluginVersions.pluginId, pluginId))
    .orderBy(desc(pluginVersions.createdAt), desc(pluginVersions.id));
}

export interface ComponentSkill {
  id: SkillId;
  name: string;
  pluginVersionId: PluginVersionId | null;
}

export async function listComponentSkills(
  db: Querier,
  versionIds: PluginVersionId[],
): Promise<ComponentSkill[]> {
  if (versionIds.length === 0) return [];
  return db
    .select({ id: skills.id, name: skills.name, pluginVersionId: skills.pluginVersionId })
    .from(skills)
    .where(inArray(skills.pluginVersionId, versionIds))
    .orderBy(skills.name);
}

export async function listComponentServers(
  db: Querier,
  pluginId: PluginId,
): Promise<(typeof servers.$inferSelect)[]> {
  const versions = db
    .select({ id: pluginVersions.id })
    .from(pluginVersions)
    .where(eq(pluginVersions.pluginId, pluginId));
  return db
    .select()
    .from(servers)
    .where(and(inArray(servers.pluginVersionId, versions), liveServer));
}
