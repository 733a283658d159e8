/** @module The SQL of environments. A change is written only at the revision its author read. */

import type {
  ClientId,
  EnvironmentId,
  PluginVersionId,
  ProjectId,
  ServerGroupId,
  ServerId,
  SkillId,
} from "@fettle/contract/core";
import type { ExpectedRevision } from "@fettle/contract/environments";
import { and, desc, eq, getTableColumns, inArray, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { stillThere } from "../../core/db/changed-meanwhile.ts";
import type { Querier } from "../../core/db/pool.ts";
import { users } from "../../core/tables/accounts.ts";
import { clients, liveClient } from "../../core/tables/clients.ts";
import { environments, unarchived } from "../../core/tables/environments.ts";
import { plugins, pluginVersions } from "../../core/tables/plugins.ts";
import { serverGroups } from "../../core/tables/server-groups.ts";
import { enabledServer, liveServer, servers } from "../../core/tables/servers.ts";
import { skills } from "../../core/tables/skills.ts";

export type EnvironmentRow = typeof environments.$inferSelect & { updatedByName: string | null };
export type EnvironmentValues = typeof environments.$inferInsert;

const columns = { ...getTableColumns(environments), updatedByName: users.name };
const itsAuthor = eq(users.id, environments.updatedBy);

export async function listNamed(
  db: Querier,
  projectId: ProjectId,
  includeArchived: boolean,
): Promise<EnvironmentRow[]> {
  return db
    .select(columns)
    .from(environments)
    .leftJoin(users, itsAuthor)
    .where(
      and(
        eq(environments.projectId, projectId),
        isNotNull(environments.name),
        includeArchived ? undefined : unarchived,
      ),
    )
    .orderBy(desc(environments.updatedAt), environments.id);
}

export async function findEnvironment(
  db: Querier,
  projectId: ProjectId,
  id: EnvironmentId,
): Promise<EnvironmentRow | undefined> {
  const [row] = await db
    .select(columns)
    .from(environments)
    .leftJoin(users, itsAuthor)
    .where(and(eq(environments.id, id), eq(environments.projectId, projectId)));
  return row;
}

/**
 * Keeps the environment as it is until the transaction ends: `changeAtRevision` waits. Others may read and hold it. Not `FOR SHARE`:
 * of two who share a row and then change it, each waits for the other.
 */
export async function holdEnvironment(
  db: Querier,
  projectId: ProjectId,
  id: EnvironmentId,
): Promise<EnvironmentRow | undefined> {
  const [row] = await db
    .select(columns)
    .from(environments)
    .leftJoin(users, itsAuthor)
    .where(and(eq(environments.id, id), eq(environments.projectId, projectId)))
    .for("key share", { of: environments });
  return row;
}

export async function insertEnvironment(db: Querier, values: EnvironmentValues): Promise<EnvironmentRow> {
  await db.insert(environments).values(values);
  return stillThere(await findEnvironment(db, values.projectId, values.id));
}

/** Nothing when another has the fingerprint: of any number of writers, in any number of processes, one is told it made the row. */
export async function insertAdhoc(
  db: Querier,
  values: EnvironmentValues & { fingerprint: string },
): Promise<EnvironmentRow | undefined> {
  const [row] = await db
    .insert(environments)
    .values(values)
    .onConflictDoNothing({
      target: [environments.projectId, environments.fingerprint],
      where: isNotNull(environments.fingerprint),
    })
    .returning({ id: environments.id });
  return row && findEnvironment(db, values.projectId, row.id);
}

export async function findAdhoc(
  db: Querier,
  projectId: ProjectId,
  fingerprint: string,
): Promise<EnvironmentRow | undefined> {
  const [row] = await db
    .select(columns)
    .from(environments)
    .leftJoin(users, itsAuthor)
    .where(and(eq(environments.projectId, projectId), eq(environments.fingerprint, fingerprint)));
  return row;
}

/** Which state a change starts from; the row must still be in it. */
export const states = {
  live: and(isNotNull(environments.name), unarchived),
  archived: isNotNull(environments.archivedAt),
  adhoc: isNull(environments.name),
} as const satisfies Record<string, SQL | undefined>;

/** Writes and moves the revision on, if the row is still at the expected one and in the state. Waits for who holds it. */
export async function changeAtRevision(
  db: Querier,
  id: EnvironmentId,
  expectedRevision: ExpectedRevision,
  state: keyof typeof states,
  change: Partial<EnvironmentValues> & { updatedAt: Date },
): Promise<EnvironmentRow | undefined> {
  const [row] = await db
    .update(environments)
    .set({ ...change, revision: sql`${environments.revision} + 1` })
    .where(
      and(
        eq(environments.id, sql`(select id from environments where id = ${id} for update)`),
        expectedRevision === "*" ? undefined : eq(environments.revision, expectedRevision),
        states[state],
      ),
    )
    .returning({ projectId: environments.projectId });
  return row && findEnvironment(db, row.projectId, id);
}

/** Keeps a live client from being deleted until the transaction ends. */
export async function holdClient(db: Querier, projectId: ProjectId, id: ClientId): Promise<boolean> {
  const rows = await db
    .select({ id: clients.id })
    .from(clients)
    .where(and(eq(clients.id, id), eq(clients.projectId, projectId), liveClient))
    .for("key share");
  return rows.length > 0;
}

export async function findServerGroup(
  db: Querier,
  projectId: ProjectId,
  id: ServerGroupId,
): Promise<typeof serverGroups.$inferSelect | undefined> {
  const [row] = await db
    .select()
    .from(serverGroups)
    .where(and(eq(serverGroups.id, id), eq(serverGroups.projectId, projectId)));
  return row;
}

export async function findUsableServers(
  db: Querier,
  projectId: ProjectId,
  ids: ServerId[],
): Promise<{ id: ServerId; name: string }[]> {
  if (ids.length === 0) return [];
  return db
    .select({ id: servers.id, name: servers.name })
    .from(servers)
    .where(and(eq(servers.projectId, projectId), inArray(servers.id, ids), liveServer, enabledServer));
}

export async function findSkills(
  db: Querier,
  projectId: ProjectId,
  ids: SkillId[],
): Promise<(typeof skills.$inferSelect)[]> {
  if (ids.length === 0) return [];
  return db
    .select()
    .from(skills)
    .where(and(eq(skills.projectId, projectId), inArray(skills.id, ids)));
}

export interface PinnedVersionRow {
  version: typeof pluginVersions.$inferSelect;
  plugin: typeof plugins.$inferSelect;
}

export async function findPluginVersions(
  db: Querier,
  projectId: ProjectId,
  ids: PluginVersionId[],
): Promise<PinnedVersionRow[]> {
  if (ids.length === 0) return [];
  return db
    .select({ version: pluginVersions, plugin: plugins })
    .from(pluginVersions)
    .innerJoin(plugins, eq(plugins.id, pluginVersions.pluginId))
    .where(and(eq(plugins.projectId, projectId), inArray(pluginVersions.id, ids)));
}

export async function findSkillsOfVersions(
  db: Querier,
  versionIds: PluginVersionId[],
): Promise<(typeof skills.$inferSelect)[]> {
  if (versionIds.length === 0) return [];
  return db.select().from(skills).where(inArray(skills.pluginVersionId, versionIds)).orderBy(skills.name);
}
