/** @module The rules of tunnels: one per server name, a slug that stays, a secret that changes with every opening. */

import { randomInt } from "node:crypto";
import { limits, type ProjectId, type ServerId, type UserId } from "@fettle/contract/core";
import { maskUrl } from "@fettle/contract/secrets";
import type { Tunnel, TunnelGrant } from "@fettle/contract/servers";
import type { App } from "../../core/app.ts";
import { inTransaction } from "../../core/db/in-transaction.ts";
import type { Querier } from "../../core/db/pool.ts";
import { missing } from "../../core/routing/not-found.ts";
import { mintToken } from "../../people/accounts/tokens.ts";
import { parseTunnelAddress, publicPath, relayPath } from "../relay/address.ts";
import * as store from "../relay/store.ts";
import { openEndpoint } from "../saved/endpoint.ts";
import { createServer, updateServer } from "../saved/servers.ts";
import type { ServerRow } from "../saved/store.ts";

export async function openTunnel(
  app: App,
  db: Querier,
  owner: { projectId: ProjectId; userId: UserId; credentialId: string },
  name: string,
  origin: string,
): Promise<TunnelGrant> {
  const secret = mintToken("tunnelSecret");
  const connect = mintToken("tunnelConnect");
  return inTransaction(db, async (tx) => {
    await store.lockName(tx, owner.projectId, name);
    const before = await store.findServerByName(tx, owner.projectId, name);
    const tunnel = before && (await store.findTunnel(tx, before.id));
    const slug = tunnel?.slug ?? newSlug();
    const url = origin + publicPath(slug, secret.token.reveal());
    // Whatever was entrusted to another address, or to another person's machine, does not reach this one.
    const holder = { tunnelHeldBy: owner.userId };
    const moved =
      before && (await updateServer(app, tx, before, owner.userId, { transportType: "http", url }, holder));
    const server =
      moved ??
      (await createServer(
        app,
        tx,
        owner.projectId,
        owner.userId,
        {
          name,
          enabled: true,
          transportType: "http",
          url,
        },
        holder,
      ));
    const now = app.now();
    const connectTokenExpiresAt = now + limits.tunnels.connectTokenMs;
    const secretVersion = (tunnel?.secretVersion ?? 0) + 1;
    await store.putTunnel(tx, {
      serverId: server.id,
      slug,
      isOpen: true,
      secretHash: secret.hash,
      secretVersion,
      connectTokenHash: connect.hash,
      connectTokenExpiresAt: new Date(connectTokenExpiresAt),
      openedWith: owner.credentialId,
      createdAt: new Date(now),
      updatedAt: new Date(now),
    });
    await store.announce(tx, server.id);
    return {
      serverId: server.id,
      name: server.name,
      existed: before !== undefined,
      ...(before && whatWas(app, before, slug)),
      ...(moved && moved.credentialsDropped.length > 0 && { credentialsDropped: moved.credentialsDropped }),
      slug,
      url,
      connectToken: connect.token.reveal(),
      connectTokenExpiresAt,
      relayWsUrl: origin.replace(/^http/, "ws") + relayPath,
      secretVersion,
    };
  });
}

export async function listTunnels(app: App, projectId: ProjectId): Promise<{ items: Tunnel[] }> {
  const rows = await store.listTunnels(app.db, projectId);
  return { items: rows.map(({ tunnel, serverName }) => toTunnel(tunnel, serverName, app.now())) };
}

/** How old the last sign of a host may be; its process gives one with every heartbeat. */
const silenceMs = limits.tunnels.pingMs * (limits.tunnels.missedPings + 1);

function toTunnel(row: store.TunnelRow, serverName: string, now: number): Tunnel {
  const hasSession = row.isOpen && row.sessionId !== null;
  const seenAt = store.lastSeen(row);
  const isConnected = hasSession && now - seenAt.getTime() <= silenceMs;
  const since = isConnected ? (row.connectedAt ?? row.updatedAt) : hasSession ? seenAt : row.updatedAt;
  return {
    serverId: row.serverId,
    serverName,
    slug: row.slug,
    path: publicPath(row.slug),
    state: isConnected ? "connected" : row.isOpen ? "offline" : "closed",
    since: since.getTime(),
  };
}

export async function closeTunnel(
  app: App,
  server: ServerRow,
): Promise<{ serverId: ServerId; status: "closed" }> {
  await app.db.transaction(async (tx) => {
    if (!(await store.closeTunnel(tx, server.id, new Date(app.now())))) {
      throw missing("This server has no tunnel.", "Open one with `fettle tunnel`.");
    }
    await store.announce(tx, server.id);
  });
  return { serverId: server.id, status: "closed" };
}

/** What the server was before it pointed at its tunnel, for whoever did not know that it was there. */
function whatWas(app: App, server: ServerRow, slug: string) {
  if (isOwn(app, server, slug)) return {};
  const { url } = openEndpoint(app.vault, server);
  return { previousTransportType: server.transportType, ...(url && { previousUrl: maskUrl(url) }) };
}

function isOwn(app: App, server: ServerRow, slug: string): boolean {
  const url = URL.parse(openEndpoint(app.vault, server).url ?? "");
  return url !== null && parseTunnelAddress(url.pathname + url.search)?.slug === slug;
}

/** Not a secret, but not to be guessed from another one's either. */
function newSlug(): string {
  const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
  return Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)]).join("");
}
