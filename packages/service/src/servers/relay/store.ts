/** @module The SQL of tunnels. */
import { limits, type ProjectId, type ServerId } from "@fettle/contract/core";
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Pool } from "pg";
import { holdNameLock } from "../../core/db/name-lock.ts";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import { liveServer, servers } from "../../core/tables/servers.ts";
import { tunnels } from "../../core/tables/tunnels.ts";
import { liveCredentialSql } from "../../http/caller/credential-sql.ts";
import { standingOf, type Ties } from "../../people/projects/standing.ts";
import { tiesSql } from "../../people/projects/standing-sql.ts";

export type TunnelRow = typeof tunnels.$inferSelect;

/** Tells every process to look whether its session of a tunnel is still the tunnel's. */
export const tunnelChannel = "fettle_tunnels";

/** Says no more than which one: what became of it stands in its row, and notices may come late. */
export interface SessionNotice {
  serverId: ServerId;
}

export async function announce(db: Querier, serverId: ServerId): Promise<void> {
  const notice: SessionNotice = { serverId };
  await db.execute(sql`select pg_notify(${tunnelChannel}, ${JSON.stringify(notice)})`);
}

/** Two who open a tunnel of one name do so one after the other. */
export async function lockName(tx: Transaction, projectId: ProjectId, name: string): Promise<void> {
  const key = `tunnels/${projectId}/${name.toLowerCase()}`;
  await holdNameLock(tx, key);
}

export async function findServerByName(db: Querier, projectId: ProjectId, name: string) {
  const [row] = await db
    .select()
    .from(servers)
    .where(
      and(eq(servers.projectId, projectId), sql`lower(${servers.name}) = ${name.toLowerCase()}`, liveServer),
    );
  return row;
}

export async function findTunnel(db: Querier, serverId: ServerId): Promise<TunnelRow | undefined> {
  const [row] = await db.select().from(tunnels).where(eq(tunnels.serverId, serverId));
  return row;
}

export async function listTunnels(db: Querier, projectId: ProjectId) {
  return db
    .select({ tunnel: tunnels, serverName: servers.name })
    .from(tunnels)
    .innerJoin(servers, eq(servers.id, tunnels.serverId))
    .where(and(eq(servers.projectId, projectId), liveServer))
    .orderBy(asc(servers.name), asc(servers.id));
}

export async function putTunnel(db: Querier, row: typeof tunnels.$inferInsert): Promise<void> {
  const { createdAt: _first, slug: _kept, serverId: _key, ...change } = row;
  await db
    .insert(tunnels)
    .values(row)
    .onConflictDoUpdate({
      target: tunnels.serverId,
      set: {
        ...change,
        sessionId: null,
        processId: null,
        holderUrl: null,
        connectedAt: null,
        droppedAt: null,
      },
    });
}

export async function closeTunnel(db: Querier, serverId: ServerId, now: Date): Promise<boolean> {
  const closed = await db
    .update(tunnels)
    .set({ isOpen: false, sessionId: null, processId: null, holderUrl: null, updatedAt: now })
    .where(eq(tunnels.serverId, serverId))
    .returning({ serverId: tunnels.serverId });
  return closed.length > 0;
}

/** A tunnel whose server is not gone, and whether whoever opened it might still do so. */
export interface KnownTunnel
  extends Pick<
    TunnelRow,
    "serverId" | "slug" | "isOpen" | "secretHash" | "sessionId" | "processId" | "holderUrl"
  > {
  openedWith: string | null;
  openerHolds: boolean;
}

/** By its public address, by what a host connects with, or by its server. Prepared: one is asked with every request. */
export async function findKnown(
  pool: Pick<Pool, "query">,
  by: "slug" | "connect_token_hash" | "server_id",
  value: string,
): Promise<KnownTunnel | undefined> {
  const { rows } = await pool.query<Omit<KnownTunnel, "openerHolds"> & Ties>({
    name: `find_tunnel_by_${by}`,
    text: `
      SELECT tunnel.server_id AS "serverId", tunnel.slug, tunnel.is_open AS "isOpen",
             tunnel.secret_hash AS "secretHash", tunnel.session_id AS "sessionId",
             tunnel.process_id AS "processId", tunnel.holder_url AS "holderUrl",
             tunnel.opened_with AS "openedWith",
             ties.visibility, ties."organizationRole", ties."grant"
      FROM tunnels AS tunnel
      JOIN servers AS server ON server.id = tunnel.server_id AND server.deleted_at IS NULL
      LEFT JOIN LATERAL (${liveCredentialSql("tunnel.opened_with")}) AS opener ON true
      LEFT JOIN LATERAL (${tiesSql({
        project: "server.project_id",
        user: "opener.user_id",
        boundTo: "opener.bound_to",
      })}) AS ties ON true
      WHERE tunnel.${by} = $1`,
    values: [value],
  });
  const [row] = rows;
  if (!row) return undefined;
  const { visibility, organizationRole, grant, ...tunnel } = row;
  return { ...tunnel, openerHolds: standingOf({ visibility, organizationRole, grant }).isVisible };
}

export interface Holding {
  sessionId: string;
  processId: string;
  holderUrl: string | null;
}

/** Makes a host's connection the tunnel's, if its token still holds; the token then holds for as long again. */
export async function claimSession(
  db: Querier,
  connectTokenHash: string,
  holding: Holding,
  times: { now: Date; tokenExpiresAt: Date },
): Promise<TunnelRow | undefined> {
  const [row] = await db
    .update(tunnels)
    .set({ ...holding, connectedAt: times.now, droppedAt: null, connectTokenExpiresAt: times.tokenExpiresAt })
    .where(
      and(
        eq(tunnels.connectTokenHash, connectTokenHash),
        eq(tunnels.isOpen, true),
        sql`${tunnels.connectTokenExpiresAt} > ${times.now.toISOString()}::timestamptz`,
        sql`exists (select 1 from ${servers} where ${servers.id} = ${tunnels.serverId} and ${liveServer})`,
      ),
    )
    .returning();
  return row;
}

/** Says that these hosts are still there: their tokens hold for as long again. */
export async function prolongSessions(
  db: Querier,
  sessionIds: string[],
  tokenExpiresAt: Date,
): Promise<void> {
  if (sessionIds.length === 0) return;
  await db
    .update(tunnels)
    .set({ connectTokenExpiresAt: tokenExpiresAt })
    .where(inArray(tunnels.sessionId, sessionIds));
}

/** When the host was last known to be there. A process that was killed cannot say that its sockets are gone. */
export function lastSeen({ connectTokenExpiresAt }: TunnelRow): Date {
  return new Date(connectTokenExpiresAt.getTime() - limits.tunnels.connectTokenMs);
}

export async function releaseSession(
  db: Querier,
  sessionId: string,
  times: { now: Date; tokenExpiresAt: Date },
): Promise<void> {
  const { now: updatedAt, tokenExpiresAt: connectTokenExpiresAt } = times;
  await db
    .update(tunnels)
    .set({ sessionId: null, processId: null, holderUrl: null, updatedAt, connectTokenExpiresAt })
    .where(eq(tunnels.sessionId, sessionId));
}
