/** @module Saved stdio servers in containers: how many a project may have, and whose they are, so that what a killed process leaves is removed. */
import { ApiError, type ProjectId, type ServerId, sandboxLimits } from "@fettle/contract";
import type { StdioTarget } from "@fettle/mcp";
import { eq, gte, lt } from "drizzle-orm";
import type { App } from "../app.ts";
import type { Database } from "../db/pool.ts";
import { newId } from "../id.ts";
import { type Engine, labelsFor, ownerOf } from "../sandbox-engine/engine.ts";
import { throughEngine } from "../sandbox-engine/sandboxes.ts";
import { sandboxHolders } from "../tables/sandboxed-servers.ts";
import { startInContainer } from "./container-process.ts";
import { listSaved } from "./store.ts";

const projectLabel = "fettle.project";
const holderLabel = "fettle.holder";
/** A holder that has said nothing for this long is gone. */
const goneMs = 3 * sandboxLimits.holderMs;

export interface ServerSandboxes {
  /** How the server's command is started: each connection has a container of its own. Refused where the project has no place left. */
  starting(
    app: Pick<App, "config" | "connections">,
    asked: { engine: Engine; image: string; projectId: ProjectId; serverId: ServerId },
  ): Promise<NonNullable<StdioTarget["start"]>>;
  close(): Promise<void>;
}

export function createServerSandboxes({ db, now }: { db: Database; now: () => number }): ServerSandboxes {
  const holder = newId("process");
  let beating: NodeJS.Timeout | undefined;

  async function beat(): Promise<void> {
    const seenAt = new Date(now());
    await db
      .insert(sandboxHolders)
      .values({ id: holder, seenAt })
      .onConflictDoUpdate({ target: sandboxHolders.id, set: { seenAt } });
  }

  return {
    starting: async ({ config, connections }, { engine, image, projectId, serverId }) => {
      if (!beating) {
        await beat();
        // A database that is away for a moment is told of the next time.
        beating = setInterval(() => void beat().catch(() => {}), sandboxLimits.holderMs).unref();
      }
      await throughEngine(async () => {
        if (await hasPlace(engine, projectId)) return;
        await connections.closeUnused(projectId);
        if (!(await hasPlace(engine, projectId))) throw tooMany();
      });
      const labels = { ...labelsFor("server", serverId), [projectLabel]: projectId, [holderLabel]: holder };
      const { limits } = config.sandbox;
      return (target) => startInContainer(engine, { labels, image, limits }, target);
    },
    close: async () => {
      clearInterval(beating);
      if (beating) await db.delete(sandboxHolders).where(eq(sandboxHolders.id, holder));
    },
  };
}

async function hasPlace(engine: Engine, projectId: ProjectId): Promise<boolean> {
  const found = await engine.containers.list({ ...labelsFor("server"), [projectLabel]: projectId });
  return found.filter(({ isRunning }) => isRunning).length < sandboxLimits.serversPerProject;
}

const tooMany = () =>
  new ApiError(
    "RATE_LIMITED",
    `A project has at most ${sandboxLimits.serversPerProject} servers running in containers, and all are in use.`,
    { reason: "SANDBOXED_SERVER_LIMIT", hint: "Try again when one that nobody uses has been stopped." },
    60,
  );

/** Those that nobody speaks to any more: their process was killed, they have ended, or their server was deleted. */
export async function removeLostServers({ db, now }: Pick<App, "db" | "now">, engine: Engine): Promise<void> {
  const found = await engine.containers.list(labelsFor("server"));
  if (found.length === 0) return;
  const since = new Date(now() - goneMs);
  // Read after the engine was: who started one in between has said so before.
  const holders = await db.select().from(sandboxHolders).where(gte(sandboxHolders.seenAt, since));
  const there = new Set<string>(holders.map(({ id }) => id));
  const saved = new Set<string>(await listSaved(db));
  for (const container of found) {
    const { id, labels, isRunning, createdAt } = container;
    // One that has only just been made is not started yet.
    const hasEnded = !isRunning && createdAt < since.getTime();
    const isTheirs = there.has(labels[holderLabel]!) && saved.has(ownerOf(container, "server")!);
    if (hasEnded || !isTheirs) await engine.containers.remove(id);
  }
  await db.delete(sandboxHolders).where(lt(sandboxHolders.seenAt, since));
}
