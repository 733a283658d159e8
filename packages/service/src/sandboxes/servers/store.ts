/** @module The SQL of servers in containers: the image they keep, and which of them are still saved. */

import type { SandboxImageId, ServerId } from "@fettle/contract/core";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Querier } from "../../core/db/pool.ts";
import { asJsonb } from "../../core/db/storable.ts";
import { chosenImage, liveServer, servers } from "../../core/tables/servers.ts";

/** Unless another was chosen in the meantime. The version that the server's row has by that. */
export async function keepImage(
  db: Querier,
  serverId: ServerId,
  imageId: SandboxImageId,
): Promise<string | undefined> {
  const chosen = asJsonb({ sandboxImageId: imageId });
  const [row] = await db
    .update(servers)
    .set({ settings: sql`${servers.settings} || ${chosen}` })
    .where(and(eq(servers.id, serverId), isNull(chosenImage)))
    .returning({ version: sql<string>`${servers}.xmin::text` });
  return row?.version;
}

export async function listSaved(db: Querier): Promise<ServerId[]> {
  const rows = await db
    .select({ id: servers.id })
    .from(servers)
    .where(and(eq(servers.transportType, "stdio"), liveServer));
  return rows.map(({ id }) => id);
}
