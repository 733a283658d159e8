/** @module The SQL of servers in containers: the images they may run in, and which of them are still saved. */
import type { ProjectId, SandboxImageId, ServerId } from "@fettle/contract";
import { and, desc, eq, isNull, sql } from "drizzle-orm";
import type { Querier } from "../db/pool.ts";
import { sandboxImageBuilds, sandboxImages } from "../tables/sandbox-images.ts";
import { liveServer, servers } from "../tables/servers.ts";

export type ReadyImage = Awaited<ReturnType<typeof listReadyShared>>[number];

/** Those that the project shares, each by its newest build that is ready. */
export async function listReadyShared(db: Querier, projectId: ProjectId) {
  return db
    .selectDistinctOn([sandboxImages.id], {
      imageId: sandboxImages.id,
      name: sandboxImages.name,
      contentHash: sandboxImageBuilds.contentHash,
    })
    .from(sandboxImages)
    .innerJoin(sandboxImageBuilds, eq(sandboxImageBuilds.imageId, sandboxImages.id))
    .where(
      and(
        eq(sandboxImages.projectId, projectId),
        eq(sandboxImages.sharing, "project"),
        eq(sandboxImageBuilds.status, "ready"),
      ),
    )
    .orderBy(sandboxImages.id, desc(sandboxImageBuilds.createdAt), desc(sandboxImageBuilds.id));
}

const chosenImage = sql`${servers.settings} ->> 'sandboxImageId'`;

/** Unless another was chosen in the meantime. */
export async function keepImage(db: Querier, serverId: ServerId, imageId: SandboxImageId): Promise<void> {
  const chosen = JSON.stringify({ sandboxImageId: imageId });
  await db
    .update(servers)
    .set({ settings: sql`${servers.settings} || ${chosen}::jsonb` })
    .where(and(eq(servers.id, serverId), isNull(chosenImage)));
}

/** An image that goes is no server's choice any more. */
export async function forgetImage(db: Querier, imageId: SandboxImageId): Promise<void> {
  await db
    .update(servers)
    .set({ settings: sql`${servers.settings} - 'sandboxImageId'` })
    .where(eq(chosenImage, imageId));
}

export async function listSaved(db: Querier): Promise<ServerId[]> {
  const rows = await db
    .select({ id: servers.id })
    .from(servers)
    .where(and(eq(servers.transportType, "stdio"), liveServer));
  return rows.map(({ id }) => id);
}
