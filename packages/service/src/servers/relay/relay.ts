/** @module The relay of this process: the sockets it holds, the way to those that others hold, and what happens to a request. */
import { createServer } from "node:http";
import { type Duplex, duplexPair } from "node:stream";
import { limits } from "@fettle/contract/core";
import { tunnelClose } from "@fettle/contract/servers";
import type { Pool } from "pg";
import type { WebSocket } from "ws";
import type { Listener } from "../../core/db/listener.ts";
import type { Database } from "../../core/db/pool.ts";
import { newId } from "../../core/id.ts";
import type { Log } from "../../core/log/log.ts";
import type { Origins } from "../../http/same-origin.ts";
import { serveTunnelRequest } from "./edge.ts";
import { tunnelClosed, tunnelDown } from "./failure.ts";
import { createForwardToHolder } from "./forward-to-holder.ts";
import {
  createRelaySession,
  type RelayAnswer,
  type RelayRequest,
  type RelaySession,
} from "./relay-session.ts";
import * as store from "./store.ts";

export interface Relay {
  /** Says where the other processes of this service reach this one. */
  listeningAt(url: string): void;
  /** Makes a socket the tunnel's own, if the token it brought opens one; otherwise closes it. */
  admit(socket: WebSocket, connectTokenHash: string | undefined): Promise<void>;
  forward(tunnel: store.KnownTunnel, request: RelayRequest, way: Way): Promise<RelayAnswer>;
  /** A stream to this process's own edge, for the service's own calls. */
  dial(): Duplex;
  /** Lets what is under way finish for a moment, and asks every host to connect elsewhere. */
  close(): Promise<void>;
}

declare module "../../core/app.ts" {
  interface App {
    /** The tunnels whose hosts are connected to this process, and the way to the others. */
    relay: Relay;
  }
}

export interface Way {
  /** The secret that the caller proved, to be proved again to another process. */
  secret: string;
  /** It has come from another process already. */
  isRelayed: boolean;
}

const drainMs = 3_000;

export function createRelay(parts: {
  db: Database;
  pool: Pick<Pool, "query">;
  listener: Listener;
  log: Log;
  now: () => number;
  origins: Origins;
}): Relay {
  const { db, pool, listener, log, now, origins } = parts;
  const processId = newId("process");
  /** By server; a tunnel has one session. */
  const sessions = new Map<string, RelaySession>();
  const elsewhere = createForwardToHolder();
  let holderUrl: string | null = null;
  let closing: Promise<void> | undefined;

  const inner = createServer((request, response) => {
    void serveTunnelRequest({ pool, log, forward, origins }, request, response, "own");
  });

  const cannotLook = (error: unknown) => log.warn("a tunnel's row cannot be looked at", { error });

  const forget = listener.listen(store.tunnelChannel, {
    notified: (payload) => {
      const { serverId } = JSON.parse(payload) as store.SessionNotice;
      const session = sessions.get(serverId);
      if (session) dropUnlessCurrent(session).catch(cannotLook);
    },
    // What was told while nobody listened.
    connected: lookThrough,
  });
  // Nobody tells when a key expires or a member is removed.
  const watch = setInterval(lookThrough, limits.tunnels.pingMs).unref();

  function lookThrough(): void {
    store
      .prolongSessions(
        db,
        [...sessions.values()].map(({ id }) => id),
        times().tokenExpiresAt,
      )
      .catch((error) => log.warn("that tunnels are connected could not be noted", { error }));
    for (const session of sessions.values()) dropUnlessCurrent(session).catch(cannotLook);
  }

  /** The row decides, not the notice: that may be about a session before this one. */
  async function dropUnlessCurrent(session: RelaySession): Promise<void> {
    const tunnel = await store.findKnown(pool, "server_id", session.serverId);
    if (!tunnel?.isOpen) session.close(tunnelClose.revoked);
    else if (tunnel.sessionId !== session.id) session.close(tunnelClose.replaced);
    else if (!tunnel.openerHolds) session.close(tunnelClose.openerGone);
  }

  const times = () => ({
    now: new Date(now()),
    tokenExpiresAt: new Date(now() + limits.tunnels.connectTokenMs),
  });

  async function admit(socket: WebSocket, connectTokenHash: string | undefined): Promise<void> {
    const sessionId = newId("tunnelSession");
    const holding = { sessionId, processId, holderUrl };
    const known =
      connectTokenHash === undefined
        ? undefined
        : await store.findKnown(pool, "connect_token_hash", connectTokenHash);
    // Of a grant from before openers were noted nothing is known: its host may ask for a new one.
    if (known && !known.openerHolds) {
      socket.close(known.openedWith === null ? tunnelClose.badToken : tunnelClose.openerGone);
      return;
    }
    const tunnel =
      connectTokenHash === undefined
        ? undefined
        : await store.claimSession(db, connectTokenHash, holding, times());
    if (!tunnel || socket.readyState !== socket.OPEN) {
      socket.close(tunnelClose.badToken);
      if (tunnel) await store.releaseSession(db, sessionId, times());
      return;
    }
    const { serverId, slug } = tunnel;
    const session = createRelaySession(socket, { id: sessionId, serverId, slug }, () => {
      if (sessions.get(serverId) === session) sessions.delete(serverId);
      store
        .releaseSession(db, sessionId, times())
        .catch((error) => log.warn("a tunnel's end could not be noted", { error }));
    });
    sessions.get(serverId)?.close(tunnelClose.replaced);
    sessions.set(serverId, session);
    log.info("a tunnel is connected", { serverId, slug });
    await store.announce(db, serverId);
  }

  async function forward(tunnel: store.KnownTunnel, request: RelayRequest, way: Way): Promise<RelayAnswer> {
    if (!tunnel.isOpen) throw tunnelClosed();
    if (!tunnel.openerHolds) {
      const { serverId, sessionId } = tunnel;
      if (sessionId !== null) await store.announce(db, serverId);
      throw tunnelDown();
    }
    const session = sessions.get(tunnel.serverId);
    if (session && session.id === tunnel.sessionId) return session.request(request);
    const isElsewhere = tunnel.processId !== null && tunnel.processId !== processId;
    if (!isElsewhere || tunnel.holderUrl === null || way.isRelayed) throw tunnelDown();
    return elsewhere.forward(tunnel.holderUrl, tunnel.slug, way.secret, request);
  }

  async function close(): Promise<void> {
    forget();
    clearInterval(watch);
    const all = [...sessions.values()];
    const patience = new Promise((resolve) => setTimeout(resolve, drainMs).unref());
    await Promise.race([Promise.all(all.map((session) => session.idle())), patience]);
    for (const session of all) session.close(tunnelClose.restart);
    inner.closeAllConnections();
    elsewhere.close();
  }

  return {
    listeningAt: (url) => {
      holderUrl = url;
    },
    admit,
    forward,
    dial: () => {
      const [ours, theirs] = duplexPair();
      inner.emit("connection", theirs);
      return ours;
    },
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
