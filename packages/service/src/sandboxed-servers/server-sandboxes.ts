/** @module Saved stdio servers in containers: how many a project may have, and the end of those that nobody speaks to. */
import { ApiError, type ProjectId, type ServerId, sandboxLimits } from "@fettle/contract";
import type { StdioTarget } from "@fettle/mcp";
import type { App } from "../app.ts";
import { type Engine, labelsFor, ownerOf } from "../sandbox-engine/engine.ts";
import { findHeld, goneMs, type Holder } from "../sandbox-engine/holder.ts";
import { throughEngine } from "../sandbox-engine/sandboxes.ts";
import { startInContainer } from "./container-process.ts";
import { listSaved } from "./store.ts";

const projectLabel = "fettle.project";

export interface ServerSandboxes {
  /** How the server's command is started: each connection has a container of its own. Refused where the project has no place left. */
  starting(
    app: Pick<App, "config" | "connections">,
    asked: { engine: Engine; image: string; projectId: ProjectId; serverId: ServerId },
  ): Promise<NonNullable<StdioTarget["start"]>>;
}

export function createServerSandboxes(holder: Holder): ServerSandboxes {
  return {
    starting: async ({ config, connections }, { engine, image, projectId, serverId }) => {
      const held = await holder.labels();
      await throughEngine(async () => {
        if (await hasPlace(engine, projectId)) return;
        await connections.closeUnused(projectId);
        if (!(await hasPlace(engine, projectId))) throw tooMany();
      });
      const labels = { ...labelsFor("server", serverId), [projectLabel]: projectId, ...held };
      const { limits } = config.sandbox;
      return (target) => startInContainer(engine, { labels, image, limits }, target);
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
export async function removeLostServers(app: Pick<App, "db" | "now">, engine: Engine): Promise<void> {
  const found = await engine.containers.list(labelsFor("server"));
  if (found.length === 0) return;
  const isHeld = await findHeld(app);
  const saved = new Set<string>(await listSaved(app.db));
  for (const container of found) {
    const { id, isRunning, createdAt } = container;
    // One that has only just been made is not started yet.
    const hasEnded = !isRunning && createdAt < app.now() - goneMs;
    if (hasEnded || !isHeld(container) || !saved.has(ownerOf(container, "server")!))
      await engine.containers.remove(id);
  }
}
