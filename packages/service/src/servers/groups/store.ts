/** @module The SQL of server groups. */
import type { ProjectId, ServerId } from "@fettle/contract/core";
import { and, desc, eq, inArray } from "drizzle-orm";
import { oneRow } from "../../core/db/one-row.ts";
import type { Querier } from "../../core/db/pool.ts";
import { serverGroups } from "../../core/tables/server-groups.ts";
import { liveServer, ownServer, servers } from "../../core/tables/servers.ts";

export type ServerGroupRow = typeof serverGroups.$inferSelect;

export async function listServerGroups(db: Querier, projectId: ProjectId): Promise<ServerGroupRow[]> {
  return db
    .select()
    .from(serverGroups)
    .where(eq(serverGroups.projectId, projectId))
    .orderBy(desc(serverGroups.createdAt), serverGroups.id);
}

export async function insertServerGroup(
  db: Querier,
  values: typeof serverGroups.$inferInsert,
): Promise<ServerGroupRow> {
  return oneRow(await db.insert(serverGroups).values(values).returning());
}

/** Which of these are live servers of the project, saved by people: a plugin's come and go with it. */
export async function findLiveServers(
  db: Querier,
  projectId: ProjectId,
  ids: ServerId[],
): Promise<{ id: ServerId; name: string }[]> {
  return db
    .select({ id: servers.id, name: servers.name })
    .from(servers)
    .where(and(eq(servers.projectId, projectId), inArray(servers.id, ids), liveServer, ownServer));
}
