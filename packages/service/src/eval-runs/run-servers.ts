/** @module The servers of one run: reached as its launcher, connected for each repetition, and kept between two where that changes nothing. */
import type { ProjectId, ServerId, UserId } from "@fettle/contract";
import { type OpenServers, openServers, type ServerBinding, SetupFailure } from "@fettle/evals";
import { hiding, type KnownSecret, McpError } from "@fettle/mcp";
import type { App } from "../app.ts";
import { connectAs } from "../clients/connect-as.ts";
import { reachServer } from "../live/reach.ts";
import { findSavedServer } from "../live/store.ts";
import type { FrozenTarget } from "./frozen.ts";

export interface RunServers {
  /** What one of several players gets for its next repetition. Only that player uses it. */
  connect(player: number, signal: AbortSignal): Promise<OpenServers>;
  /** Takes out of what is kept whatever was sent to be let in. */
  hide<Value>(value: Value): Value;
  close(): Promise<void>;
}

/** Settings and credentials are read anew after so long. */
const reachMs = 15_000;
/** A kept connection's list of tools is believed for so long. */
const listMs = 1_000;

interface Kept {
  servers: OpenServers;
  listedAt: number;
}

export function createRunServers(
  app: App,
  options: { projectId: ProjectId; userId: UserId | null; target: FrozenTarget; callMs: number },
): RunServers {
  const { projectId, userId, target } = options;
  const kept = new Map<number, Kept>();
  const secrets = new Set<KnownSecret>();
  let hide = hiding([]);
  let reached: { at: number; bindings: Promise<ServerBinding[]> } | undefined;

  async function bindingOf({ id, name }: { id: string; name: string }): Promise<ServerBinding> {
    // Frozen from a server's row.
    const server = await findSavedServer(app.db, { projectId, id: id as ServerId, userId });
    if (!server) throw new SetupFailure(name, new McpError("BAD_TARGET", "The server was deleted."));
    const reach = await reachServer(app, server);
    for (const secret of reach.secrets) secrets.add(secret);
    hide = hiding([...secrets]);
    const as = target.config && (await connectAs(target.config, id));
    return {
      name,
      target: as
        ? { ...reach.target, headers: { ...as.headers, ...reach.target.headers, ...as.headersOverride } }
        : reach.target,
      options: {
        ...reach.options,
        ...as?.options,
        timeouts: {
          connectMs: reach.timeoutMs,
          idleMs: as?.requestMs ?? reach.timeoutMs,
          totalMs: options.callMs,
        },
      },
    };
  }

  function bindings(): Promise<ServerBinding[]> {
    if (!reached || app.now() - reached.at > reachMs) {
      const found = Promise.all(target.servers.map(bindingOf));
      reached = { at: app.now(), bindings: found };
      // Whoever comes next tries again.
      found.catch(() => {
        reached = undefined;
      });
    }
    return reached.bindings;
  }

  async function fresh(signal: AbortSignal): Promise<Kept> {
    return { servers: await openServers(await bindings(), signal), listedAt: performance.now() };
  }

  async function relist({ servers }: Kept, signal: AbortSignal): Promise<Kept | undefined> {
    try {
      const links = await Promise.all(
        servers.links.map(async (link) => {
          if (link.connection.capabilities.tools === undefined) return link;
          const { items, truncated } = await link.connection.listTools({ signal });
          return { ...link, tools: items, ...(truncated && { truncated }) };
        }),
      );
      return { servers: { ...servers, links }, listedAt: performance.now() };
    } catch {
      // It may have gone stale; what is wrong with the server shows in a fresh one.
      await servers.close();
      return undefined;
    }
  }

  /** The one kept for this player, if it still stands and its tools are known to be those of now. */
  async function again(player: number, signal: AbortSignal): Promise<Kept | undefined> {
    const own = kept.get(player);
    kept.delete(player);
    if (!own) return undefined;
    if (own.servers.links.some(({ connection }) => connection.closedBecause)) {
      await own.servers.close();
      return undefined;
    }
    return performance.now() - own.listedAt < listMs ? own : relist(own, signal);
  }

  return {
    async connect(player, signal) {
      const own = (await again(player, signal)) ?? (await fresh(signal));
      const letGo = async () => {
        // A conversation that a server remembers would show in the next repetition.
        const mayStay = own.servers.links.every(
          ({ connection }) => connection.isSessionless && !connection.closedBecause,
        );
        if (mayStay && !signal.aborted) kept.set(player, own);
        else await own.servers.close();
      };
      return { links: own.servers.links, close: letGo, [Symbol.asyncDispose]: letGo };
    },
    hide: (value) => hide(value),
    async close() {
      const all = [...kept.values()];
      kept.clear();
      await Promise.allSettled(all.map(({ servers }) => servers.close()));
    },
  };
}
