/** @module Saved stdio servers in containers: how many a project may have, and the end of those that nobody speaks to. */
import { ApiError, type ProjectId, type ServerId } from "@fettle/contract/core";
import { sandboxLimits } from "@fettle/contract/sandboxes";
import type { ServerProcess, StdioTarget } from "@fettle/mcp";
import type { App } from "../../core/app.ts";
import { holdNameLock } from "../../core/db/name-lock.ts";
import type { Database } from "../../core/db/pool.ts";
import { createTurns } from "../../core/turns.ts";
import { type Engine, labelsFor, ownerOf } from "../engine/engine.ts";
import { findHeld, goneMs, type Holder } from "../engine/holder.ts";
import { throughEngine } from "../engine/sandboxes.ts";
import { startInContainer } from "./container-process.ts";
import { listSaved } from "./store.ts";

const projectLabel = "fettle.project";

export interface ServerSandboxes {
  /**
   * How the server's command is started: each connection has a container of its own. Refused where the project has no place
   * left, here already, and again by the start itself, which alone takes the place.
   */
  starting(
    app: Pick<App, "config" | "connections">,
    asked: { engine: Engine; image: string; projectId: ProjectId; serverId: ServerId },
  ): Promise<NonNullable<StdioTarget["start"]>>;
}

declare module "../../core/app.ts" {
  interface App {
    serverSandboxes: ServerSandboxes;
  }
}

export function createServerSandboxes({ holder, db }: { holder: Holder; db: Database }): ServerSandboxes {
  const turns = new Map<ProjectId, ReturnType<typeof createTurns>>();

  /** Who waits here for the starts before it holds no connection to the database meanwhile. */
  function inTurn<T>(projectId: ProjectId, work: () => Promise<T>): Promise<T> {
    const turn = turns.get(projectId) ?? createTurns();
    turns.set(projectId, turn);
    return turn(work);
  }

  /**
   * Looks and starts as one step, for all processes of the deployment: what two saw free at the same moment would become two
   * places. Undefined: there is none.
   */
  async function inPlace(
    engine: Engine,
    projectId: ProjectId,
    start: () => Promise<ServerProcess>,
  ): Promise<ServerProcess | undefined> {
    let started: ServerProcess | undefined;
    try {
      await db.transaction(async (tx) => {
        await holdNameLock(tx, `sandboxed servers of ${projectId}`);
        if (await throughEngine(() => hasPlace(engine, projectId))) started = await start();
      });
      return started;
    } catch (error) {
      // The database went away meanwhile: nobody would ever hear of what was started.
      started?.kill("SIGKILL");
      throw error;
    }
  }

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
      return (target) =>
        inTurn(projectId, async () => {
          const start = () => startInContainer(engine, { labels, image, limits }, target);
          const first = await inPlace(engine, projectId, start);
          if (first) return first;
          await connections.closeUnused(projectId);
          const second = await inPlace(engine, projectId, start);
          if (!second) throw tooMany();
          return second;
        });
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
    if (hasEnded || !isHeld(container) || !saved.has(ownerOf(container, "server") ?? ""))
      await engine.containers.remove(id);
  }
}
