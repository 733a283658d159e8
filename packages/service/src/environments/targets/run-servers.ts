/** @module The servers of one run: reached as its launcher, connected for each repetition, and kept between two where that changes nothing. */
import type { ProjectId, SandboxImageId, ServerId, UserId } from "@fettle/contract/core";
import { type OpenServers, openServers, type ServerBinding, SetupFailure, scrubbing } from "@fettle/evals";
import { hiding, type KnownSecret, McpError } from "@fettle/mcp";
import type { App } from "../../core/app.ts";
import { openComputer } from "../../sandboxes/computers/for-run.ts";
import { connectAs } from "../../servers/clients/connect-as.ts";
import { reachServer } from "../../servers/live/reach.ts";
import { findSavedServer } from "../../servers/live/store.ts";
import type { FrozenTarget } from "./target.ts";

export interface RunServers {
  /** What one of several players gets for its next repetition. Only that player uses it. */
  connect(player: number, signal: AbortSignal): Promise<OpenServers>;
  /** Takes out of what is kept whatever was sent to be let in, arguments that a tool marks as credentials, and what has the shape of one. */
  hide<Value>(value: Value): Value;
  close(): Promise<void>;
}

/** Settings and credentials are read anew after so long. */
const reachMs = 15_000;
/** A repetition sends a few, and is kept soon after: of a long run only the latest matter. */
const mostSent = 500;
/** A kept connection's list of tools is believed for so long. */
const listMs = 1_000;

interface Kept {
  servers: OpenServers;
  listedAt: number;
}

export function createRunServers(
  app: App,
  options: {
    projectId: ProjectId;
    userId: UserId | null;
    target: FrozenTarget;
    callMs: number;
    /** The target's computer is offered, too, where it has one. Never to strangers: it may be somebody's own. */
    withComputer?: true;
  },
): RunServers {
  const { projectId, userId, target } = options;
  const kept = new Map<number, Kept>();
  const secrets = new Set<KnownSecret>();
  /** Arguments that tools mark as credentials, the latest last. */
  let sent: readonly string[] = [];
  let hide = hiding([]);
  let reached: { at: number; bindings: Promise<ServerBinding[]> } | undefined;

  function withhold(values: readonly string[]): void {
    sent = [...new Set([...sent, ...values])].slice(-mostSent);
    hide = hiding([...secrets, ...sent]);
  }

  async function bindingOf({ id, name }: { id: string; name: string }): Promise<ServerBinding> {
    // Frozen from a server's row.
    const server = await findSavedServer(app.db, { projectId, id: id as ServerId, userId });
    if (!server) throw new SetupFailure(name, new McpError("BAD_TARGET", "The server was deleted."));
    const reach = await reachServer(app, server);
    for (const secret of reach.secrets) secrets.add(secret);
    hide = hiding([...secrets, ...sent]);
    const as = target.config && (await connectAs(target.config, id));
    return {
      name,
      target:
        as && reach.target.kind === "http"
          ? { ...reach.target, headers: { ...as.headers, ...reach.target.headers, ...as.headersOverride } }
          : reach.target,
      options: {
        ...reach.options,
        ...as?.options,
        onSecretArguments: withhold,
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
    const servers = await openServers(await bindings(), signal);
    return { servers, listedAt: performance.now() };
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

  async function ownComputer(signal: AbortSignal): Promise<OpenServers | undefined> {
    if (!options.withComputer) return undefined;
    // Frozen from an environment's row.
    const pinned = target.sandboxImageId ?? target.environment?.resolved.sandboxImageId;
    const imageId = pinned as SandboxImageId | undefined;
    const taken = target.servers.map(({ name }) => name);
    const { callMs } = options;
    return openComputer(
      app,
      { projectId, userId, imageId, wanted: target.config?.computer, callMs, taken },
      signal,
    );
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
      const computer = await ownComputer(signal).catch(async (error) => {
        await letGo();
        throw error;
      });
      const close = async () => {
        await Promise.all([letGo(), computer?.close()]);
      };
      const links = [...own.servers.links, ...(computer?.links ?? [])];
      return { links, close, [Symbol.asyncDispose]: close };
    },
    hide: (value) => scrubbing(hide)(value),
    async close() {
      const all = [...kept.values()];
      kept.clear();
      await Promise.allSettled(all.map(({ servers }) => servers.close()));
    },
  };
}
