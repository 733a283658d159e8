/** @module The SQL of saved servers. */

import type { ProjectId, SandboxImageId, ServerId } from "@fettle/contract/core";
import { and, desc, eq } from "drizzle-orm";
import { isAfterPlace } from "../../core/db/keyset.ts";
import { oneRow } from "../../core/db/one-row.ts";
import type { Querier } from "../../core/db/pool.ts";
import type { PlaceOf, Range } from "../../core/routing/page.ts";
import { serverCredentials } from "../../core/tables/live.ts";
import { sandboxImages } from "../../core/tables/sandbox-images.ts";
import { serverSignIns } from "../../core/tables/server-sign-ins.ts";
import { liveServer, ownServer, servers } from "../../core/tables/servers.ts";

export type ServerRow = typeof servers.$inferSelect;

/** Those changed last come first. */
export async function listServers(
  db: Querier,
  projectId: ProjectId,
  { after, most }: Range<PlaceOf<"server">> = {},
): Promise<ServerRow[]> {
  const { updatedAt, id } = servers;
  const rows = db
    .select()
    .from(servers)
    .where(
      and(
        eq(servers.projectId, projectId),
        liveServer,
        ownServer,
        isAfterPlace({ at: updatedAt, id }, after),
      ),
    )
    .orderBy(desc(updatedAt), desc(id));
  return most === undefined ? rows : rows.limit(most);
}

export async function findServer(
  db: Querier,
  projectId: ProjectId,
  id: ServerId,
): Promise<ServerRow | undefined> {
  const [row] = await db
    .select()
    .from(servers)
    .where(and(eq(servers.id, id), eq(servers.projectId, projectId), liveServer));
  return row;
}

/** As it is now, and as it stays until the transaction ends. */
export async function holdServer(db: Querier, id: ServerId): Promise<ServerRow | undefined> {
  const [row] = await db
    .select()
    .from(servers)
    .where(and(eq(servers.id, id), liveServer))
    .for("update");
  return row;
}

export async function insertServer(db: Querier, values: typeof servers.$inferInsert): Promise<ServerRow> {
  return oneRow(await db.insert(servers).values(values).returning());
}

export async function updateServer(
  db: Querier,
  id: ServerId,
  change: Partial<typeof servers.$inferInsert> & { updatedAt: Date },
): Promise<ServerRow | undefined> {
  const [row] = await db
    .update(servers)
    .set(change)
    .where(and(eq(servers.id, id), liveServer))
    .returning();
  return row;
}

/** Everybody's credentials for one server, and sign-ins on the way to some; whether there were any. */
export async function dropCredentials(db: Querier, serverId: ServerId): Promise<boolean> {
  await db.delete(serverSignIns).where(eq(serverSignIns.serverId, serverId));
  const gone = await db
    .delete(serverCredentials)
    .where(eq(serverCredentials.serverId, serverId))
    .returning({ userId: serverCredentials.userId });
  return gone.length > 0;
}

export async function isSharedImage(
  db: Querier,
  projectId: ProjectId,
  imageId: SandboxImageId,
): Promise<boolean> {
  const { id, projectId: project, sharing } = sandboxImages;
  const found = await db
    .select({ id })
    .from(sandboxImages)
    .where(and(eq(id, imageId), eq(project, projectId), eq(sharing, "project")));
  return found.length > 0;
}
