/** @module Connections kept warm, so that a second call to the same server with the same credential pays no handshake. */
import { ApiError, type ProjectId, type ServerId } from "@fettle/contract/core";
import type { Connection } from "@fettle/mcp";

export interface PoolLimits {
  /** A connection nobody uses is closed after this long. */
  idleMs: number;
  /** Connections kept in all; the longest unused is closed for a new one. */
  connections: number;
  /** Calls under way at once, in all and for one project: what a server sends is held in memory while it is read. */
  calls: number;
  callsPerProject: number;
}

export const poolLimits: PoolLimits = { idleMs: 60_000, connections: 200, calls: 64, callsPerProject: 16 };

/** What a connection is told apart by. Two projects never share one, nor do two credentials. */
export interface PoolKey {
  projectId: ProjectId;
  serverId: ServerId;
  /** Another one after every change of the server's settings. */
  settings: string;
  /** Whose credential it is, and which. */
  credential: string;
  /** For whose eyes it is and what it declares; empty where nobody looks on. */
  attended: string;
  /** How long it is kept with nobody using it, where that is not as for all. */
  idleMs?: number;
}

interface Entry {
  key: PoolKey;
  opening: Promise<Connection>;
  /** Set once it stands. */
  connection?: Connection;
  users: number;
  unusedSince: number;
  /** Handed to nobody any more, and closed when its last user is done. */
  retired: boolean;
}

export interface ConnectionPool {
  /** Runs `work` on a warm connection, or on one that `open` makes. */
  use<T>(
    key: PoolKey,
    open: () => Promise<Connection>,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T>;
  /** The same, and no call under way: it only listens. */
  hold: ConnectionPool["use"];
  /** Runs `work`, which has a connection of its own, as one of the calls under way. */
  within<T>(projectId: ProjectId, work: () => Promise<T>): Promise<T>;
  size(): number;
  /** Those of a project that nobody uses now. */
  closeUnused(projectId: ProjectId): Promise<void>;
  close(): Promise<void>;
}

declare module "../../core/app.ts" {
  interface App {
    /** Connections to saved MCP servers, kept warm between calls. */
    connections: ConnectionPool;
  }
}

export function createPool(
  limits: PoolLimits = poolLimits,
  now: () => number = () => performance.now(),
): ConnectionPool {
  const entries = new Map<string, Entry>();
  const calls = new Map<string, number>();
  let underWay = 0;
  let closed = false;
  const sweep = setInterval(retireIdle, Math.max(50, limits.idleMs / 4)).unref();

  const nameOf = (key: PoolKey) =>
    JSON.stringify([key.projectId, key.serverId, key.settings, key.credential, key.attended]);

  function retire(entry: Entry): void {
    entry.retired = true;
    const name = nameOf(entry.key);
    if (entries.get(name) === entry) entries.delete(name);
    if (entry.users === 0) void closeQuietly(entry);
  }

  function retireIdle(): void {
    for (const entry of entries.values())
      if (entry.users === 0 && now() - entry.unusedSince >= (entry.key.idleMs ?? limits.idleMs))
        retire(entry);
  }

  function makeRoom(key: PoolKey): void {
    for (const entry of entries.values()) {
      const { projectId, serverId, settings } = entry.key;
      if (projectId === key.projectId && serverId === key.serverId && settings !== key.settings)
        retire(entry);
    }
    while (entries.size >= limits.connections) {
      const [oldest] = [...entries.values()]
        .filter((entry) => entry.users === 0)
        .sort((a, b) => a.unusedSince - b.unusedSince);
      if (!oldest) return;
      retire(oldest);
    }
  }

  function enter(projectId: ProjectId): void {
    const own = calls.get(projectId) ?? 0;
    if (own >= limits.callsPerProject || underWay >= limits.calls) {
      throw new ApiError(
        "RATE_LIMITED",
        "Too many calls to MCP servers are under way. Try again when some are done.",
        {
          reason: "LIVE_CALL_LIMIT",
          limit: own >= limits.callsPerProject ? limits.callsPerProject : limits.calls,
        },
        1,
      );
    }
    calls.set(projectId, own + 1);
    underWay += 1;
  }

  function leave(projectId: ProjectId): void {
    const own = (calls.get(projectId) ?? 1) - 1;
    if (own === 0) calls.delete(projectId);
    else calls.set(projectId, own);
    underWay -= 1;
  }

  function take(key: PoolKey, open: () => Promise<Connection>): Entry {
    const warm = entries.get(nameOf(key));
    if (warm && !warm.connection?.closedBecause) return warm;
    if (warm) retire(warm);
    makeRoom(key);
    const entry: Entry = { key, opening: open(), users: 0, unusedSince: now(), retired: closed };
    if (!closed) entries.set(nameOf(key), entry);
    entry.opening.then(
      (connection) => {
        entry.connection = connection;
      },
      // What never stood is no entry; whoever waits for it hears why.
      () => retire(entry),
    );
    return entry;
  }

  function release(entry: Entry): void {
    entry.users -= 1;
    entry.unusedSince = now();
    if (entry.connection?.closedBecause) retire(entry);
    else if (entry.retired && entry.users === 0) void closeQuietly(entry);
  }

  async function within<T>(projectId: ProjectId, work: () => Promise<T>): Promise<T> {
    enter(projectId);
    try {
      return await work();
    } finally {
      leave(projectId);
    }
  }

  const hold: ConnectionPool["hold"] = async (key, open, work) => {
    const entry = take(key, open);
    entry.users += 1;
    try {
      return await work(await entry.opening);
    } finally {
      release(entry);
    }
  };

  return {
    use: (key, open, work) => within(key.projectId, () => hold(key, open, work)),
    hold,
    within,
    size: () => entries.size,
    async closeUnused(projectId) {
      const unused = [...entries.values()].filter(
        ({ key, users }) => key.projectId === projectId && users === 0,
      );
      for (const entry of unused) retire(entry);
      await Promise.all(unused.map(closeQuietly));
    },
    async close() {
      closed = true;
      clearInterval(sweep);
      const all = [...entries.values()];
      for (const entry of all) retire(entry);
      await Promise.all(all.map(closeQuietly));
    },
  };
}

/** The other end may be gone already; there is nothing to tell anyone. */
async function closeQuietly(entry: Entry): Promise<void> {
  await entry.opening.then((connection) => connection.close()).catch(() => {});
}
