/** @module The SQL of clients and their configs. */
import type { ClientId, ProjectId, ServerId } from "@fettle/contract/core";
import {
  and,
  arrayContains,
  count,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  sql,
} from "drizzle-orm";
import type { Querier } from "../../core/db/pool.ts";
import { users } from "../../core/tables/accounts.ts";
import { clientConfigs, clients, liveClient } from "../../core/tables/clients.ts";
import { environments, unarchived } from "../../core/tables/environments.ts";
import { published, scenarios } from "../../core/tables/user-testing.ts";

const { modelId, serverCount, hasComputer, config } = clientConfigs;
const columns = {
  ...getTableColumns(clients),
  modelId,
  serverCount,
  hasComputer,
  updatedByName: users.name,
};
const detailed = { ...columns, config };

const itsConfig = and(eq(clientConfigs.projectId, clients.projectId), eq(clientConfigs.id, clients.configId));

export type ClientRow = typeof clients.$inferSelect &
  Pick<typeof clientConfigs.$inferSelect, "modelId" | "serverCount" | "hasComputer"> & {
    updatedByName: string | null;
  };
export type DetailedClientRow = ClientRow & { config: string };

export interface Sought {
  projectId: ProjectId;
  /** Also those behind a scenario. */
  includePrivateBacking?: boolean;
}

const seen = ({ projectId, includePrivateBacking }: Sought) =>
  and(
    eq(clients.projectId, projectId),
    liveClient,
    includePrivateBacking ? undefined : isNull(clients.ownerScope),
  );

export async function listClients(
  db: Querier,
  sought: Sought,
): Promise<(ClientRow & { hostStyle: string })[]> {
  return db
    .select({ ...columns, hostStyle: sql<string>`${config}::json->>'hostStyle'` })
    .from(clients)
    .innerJoin(clientConfigs, itsConfig)
    .leftJoin(users, eq(users.id, clients.updatedBy))
    .where(seen(sought))
    .orderBy(desc(clients.updatedAt), clients.id);
}

export async function findClient(
  db: Querier,
  sought: Sought & { id: ClientId },
): Promise<DetailedClientRow | undefined> {
  const [row] = await db
    .select(detailed)
    .from(clients)
    .innerJoin(clientConfigs, itsConfig)
    .leftJoin(users, eq(users.id, clients.updatedBy))
    .where(and(seen(sought), eq(clients.id, sought.id)));
  return row;
}

export async function findClientsNamed(
  db: Querier,
  sought: Sought & { name: string },
): Promise<DetailedClientRow[]> {
  return db
    .select(detailed)
    .from(clients)
    .innerJoin(clientConfigs, itsConfig)
    .leftJoin(users, eq(users.id, clients.updatedBy))
    .where(and(seen(sought), eq(sql`lower(${clients.name})`, sql`lower(${sought.name})`)))
    .orderBy(clients.id);
}

/** Holds the client until the transaction ends: nobody else changes it, and no environment starts to use it. */
export async function lockClient(db: Querier, id: ClientId): Promise<DetailedClientRow | undefined> {
  const held = await db
    .select({ id: clients.id })
    .from(clients)
    .where(and(eq(clients.id, id), liveClient))
    .for("update");
  if (held.length === 0) return undefined;
  // A second statement, because one that waited for the lock would still see the config from before.
  const [row] = await db
    .select(detailed)
    .from(clients)
    .innerJoin(clientConfigs, itsConfig)
    .leftJoin(users, eq(users.id, clients.updatedBy))
    .where(eq(clients.id, id));
  return row;
}

/** Locks every live client of the project that is attached to the server. */
export async function lockClientsOfServer(
  db: Querier,
  projectId: ProjectId,
  serverId: ServerId,
): Promise<DetailedClientRow[]> {
  return db
    .select(detailed)
    .from(clients)
    .innerJoin(clientConfigs, itsConfig)
    .leftJoin(users, eq(users.id, clients.updatedBy))
    .where(
      and(eq(clients.projectId, projectId), liveClient, arrayContains(clientConfigs.serverIds, [serverId])),
    )
    .orderBy(clients.id)
    .for("update", { of: clients });
}

/** A config that is there already is the same, so nothing is written. */
export async function keepConfig(db: Querier, values: typeof clientConfigs.$inferInsert): Promise<void> {
  await db.insert(clientConfigs).values(values).onConflictDoNothing();
}

export async function insertClient(db: Querier, values: typeof clients.$inferInsert): Promise<void> {
  await db.insert(clients).values(values);
}

export async function updateClient(
  db: Querier,
  id: ClientId,
  change: Partial<typeof clients.$inferInsert> & { updatedAt: Date },
): Promise<void> {
  await db.update(clients).set(change).where(eq(clients.id, id));
}

/** By client; one that no live environment uses is absent. */
/** Live environments of each client, and scenarios published from any of its environments. */
export async function countUses(
  db: Querier,
  clientIds: readonly ClientId[],
): Promise<Map<string, { live: number; published: number }>> {
  if (clientIds.length === 0) return new Map();
  const isLive = and(isNotNull(environments.name), unarchived);
  const rows = await db
    .select({
      hostId: environments.hostId,
      live: sql<number>`count(*) filter (where ${isLive})::int`,
      published: count(scenarios.id),
    })
    .from(environments)
    .leftJoin(scenarios, and(eq(scenarios.environmentId, environments.id), published))
    .where(inArray(environments.hostId, [...clientIds]))
    .groupBy(environments.hostId);
  return new Map(rows.map(({ hostId, ...uses }) => [hostId, uses]));
}
