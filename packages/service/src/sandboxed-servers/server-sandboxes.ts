/** @module Saved stdio servers in containers: how many a project may have, and whose they are, so that what a killed process leaves is removed. */
import { ApiError, type ProjectId, type ServerId, sandboxLimits } from "@fettle/contract";
import type { StdioTarget } from "@fettle/mcp";
import { eq, gte, lt } from "drizzle-orm";
import type { App } from "../app.ts";
import type { Database } from "../db/pool.ts";
import { newId } from "../id.ts";
import { type Engine, labelsFor } from "../sandbox-engine/engine.ts";
import { sandboxHolders } from "../tables/sandboxed-servers.ts";
import { startInContainer } from "./container-process.ts";

const projectLabel = "fettle.project";
const holderLabel = "fettle.holder";
/** A holder that has said nothing for this long is gone. */
const goneMs = 3 * sandboxLimits.holderMs;

export interface ServerSandboxes {
  /** How the server's command is started: each connection has a container of its own. */
  starting(
    app: Pick<App, "config" | "now">,
    asked: { engine: Engine; image: string; projectId: ProjectId; serverId: ServerId },
  ): NonNullable<StdioTarget["start"]>;
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
    starting:
      ({ config }, { engine, image, projectId, serverId }) =>
      async (target) => {
        if (!beating) {
          await beat();
          // A database that is away for a moment is told of the next time.
          beating = setInterval(() => void beat().catch(() => {}), sandboxLimits.holderMs).unref();
        }
        await requirePlace(engine, projectId);
        const labels = { ...labelsFor("server", serverId), [projectLabel]: projectId, [holderLabel]: holder };
        return startInContainer(engine, { labels, image, limits: config.sandbox.limits }, target);
      },
    close: async () => {
      clearInterval(beating);
      if (beating) await db.delete(sandboxHolders).where(eq(sandboxHolders.id, holder));
    },
  };
}

async function requirePlace(engine: Engine, projectId: ProjectId): Promise<void> {
  const running = await engine.containers.list({ ...labelsFor("server"), [projectLabel]: projectId });
  if (running.length < sandboxLimits.serversPerProject) return;
  throw new ApiError(
    "RATE_LIMITED",
    `A project has at most ${sandboxLimits.serversPerProject} servers running in containers.`,
    { reason: "SANDBOXED_SERVER_LIMIT", hint: "Try again when one that nobody uses has been stopped." },
    60,
  );
}

/** Those whose process was killed, and can speak to them no more. */
export async function removeLostServers({ db, now }: Pick<App, "db" | "now">, engine: Engine): Promise<void> {
  const found = await engine.containers.list(labelsFor("server"));
  if (found.length === 0) return;
  const since = new Date(now() - goneMs);
  // Read after the engine was: who started one in between has said so before.
  const rows = await db.select().from(sandboxHolders).where(gte(sandboxHolders.seenAt, since));
  const there = new Set(rows.map(({ id }) => id));
  for (const { id, labels } of found)
    if (!there.has(labels[holderLabel]!)) await engine.containers.remove(id);
  await db.delete(sandboxHolders).where(lt(sandboxHolders.seenAt, since));
}
