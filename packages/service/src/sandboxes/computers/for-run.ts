/** @module The computer of one conversation: a fresh one of the image that an environment pins, or the person's own. */
import { ApiError, type ProjectId, type SandboxImageId, type UserId } from "@fettle/contract/core";
import type { ClientConfig } from "@fettle/contract/environments";
import { sandboxLimits } from "@fettle/contract/sandboxes";
import { type OpenServers, openServers, SetupFailure } from "@fettle/evals";
import { McpError, parseTarget } from "@fettle/mcp";
import type { App } from "../../core/app.ts";
import { newId } from "../../core/id.ts";
import { type Engine, labelsFor } from "../engine/engine.ts";
import { idleCommand } from "../engine/exec-limits.ts";
import { requireEngine } from "../engine/sandboxes.ts";
import { EngineError } from "../engine/socket-http.ts";
import { readBlueprint } from "../images/blueprint.ts";
import { builtTag } from "../images/build-image.ts";
import { findReady, isPinnable } from "../images/build-store.ts";
import { findImageById } from "../images/store.ts";
import { wakeComputer } from "./computers.ts";
import { computerUrl, serveComputer } from "./serve.ts";
import * as store from "./store.ts";
import type { Computer } from "./tools.ts";

export interface WantedComputer {
  projectId: ProjectId;
  userId: UserId | null;
  /** Pinned by the environment: each conversation gets a computer of its own, which is gone afterwards. */
  imageId: SandboxImageId | undefined;
  /** What the client says. */
  wanted: ClientConfig["computer"];
  /** For one call of a tool. */
  callMs: number;
  /** What the conversation's servers are called. */
  taken: readonly string[];
}

/** Undefined when the conversation has none. Throws a `SetupFailure` when it should have one and cannot. */
export async function openComputer(
  app: App,
  options: WantedComputer,
  signal: AbortSignal,
): Promise<OpenServers | undefined> {
  if (options.imageId === undefined && options.wanted === undefined) return undefined;
  const name = options.taken.includes("computer") ? "sandbox computer" : "computer";
  try {
    const { computer, remove } = await prepare(app, options);
    const served = serveComputer(computer);
    const close = async () => {
      served.close();
      await remove();
    };
    try {
      const policy = { mode: "local", exceptions: [], dial: served.dial } as const;
      // Nobody waits for an answer longer than for the command itself.
      const totalMs = options.callMs + sandboxLimits.computerTools.graceMs;
      const timeouts = { connectMs: totalMs, idleMs: totalMs, totalMs };
      const target = parseTarget({ url: computerUrl });
      const opened = await openServers([{ name, target, options: { policy, timeouts } }], signal);
      const closeAll = async () => {
        await opened.close();
        await close();
      };
      return { links: opened.links, close: closeAll, [Symbol.asyncDispose]: closeAll };
    } catch (error) {
      await close();
      throw error;
    }
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof EngineError)) throw error;
    throw new SetupFailure(name, new McpError("BAD_TARGET", error.message, { cause: error }));
  }
}

interface Prepared {
  computer: Computer;
  remove(): Promise<void>;
}

async function prepare(app: App, options: WantedComputer): Promise<Prepared> {
  const { projectId, userId, imageId, wanted } = options;
  if (imageId !== undefined) {
    // A draft is its owner's alone, however its id came to be known.
    if (await isPinnable(app.db, projectId, imageId)) return fresh(app, options, imageId);
    throw new ApiError("CONFLICT", "The image of the computer is not shared, not built, or gone.");
  }
  if (userId === null) throw new ApiError("CONFLICT", "Nobody is there whose computer this could be.");
  const { imageId: own } = (await store.findComputer(app.db, projectId, userId)) ?? {};
  if (wanted?.kind === "ephemeral" && own) return fresh(app, options, own);
  const whose = { projectId, userId };
  const { engine, container, row } = await wakeComputer(app, whose);
  const wake = async () => void (await wakeComputer(app, whose));
  return {
    computer: {
      ...common(app, options, engine, container),
      told: await toldOf(app, row.imageId),
      stopped: async (limit) => {
        const change =
          limit.limit === "disk"
            ? { status: "failed" as const, error: limit.message }
            : { status: "asleep" as const };
        await store.updateGeneration(app.db, row, change);
        await engine.containers.stop(container, 0);
        // The next call goes on in it.
        if (limit.limit === "time") await wake();
      },
      wake,
    },
    remove: async () => {
      await store.updateGeneration(app.db, row, { lastUsedAt: new Date(app.now()) });
    },
  };
}

async function fresh(app: App, options: WantedComputer, imageId: SandboxImageId): Promise<Prepared> {
  const engine = await requireEngine(app);
  const build = await findReady(app.db, imageId);
  if (!build || build.projectId !== options.projectId) {
    throw new ApiError("CONFLICT", "The image of the computer has no build that is ready.");
  }
  const image = builtTag(build.projectId, build.contentHash);
  const { limits } = app.config.sandbox;
  const container = await engine.containers.create({
    labels: { ...labelsFor("run", newId("computer", app.now())), ...(await app.sandboxHolder.labels()) },
    image,
    command: [...idleCommand],
    limits,
  });
  const remove = () => engine.containers.remove(container);
  try {
    const wake = () => engine.containers.start(container);
    await wake();
    const told = await toldOf(app, imageId);
    const stopped = async (limit: { limit: "time" | "disk" }) => {
      await engine.containers.stop(container, 0);
      if (limit.limit === "time") await wake();
    };
    return { computer: { ...common(app, options, engine, container), told, stopped, wake }, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

function common(app: App, { callMs, wanted }: WantedComputer, engine: Engine, container: string) {
  const { diskBytes } = app.config.sandbox.limits;
  return { engine, container, diskBytes, callMs, workingFolder: wanted?.workdir };
}

/** The texts of the blueprint as it is now: they need no new build. Nothing of them is run here. */
async function toldOf(app: App, imageId: SandboxImageId | null): Promise<string> {
  const image = imageId === null ? undefined : await findImageById(app.db, imageId);
  const reading = image && readBlueprint(image.blueprint);
  if (!reading?.ok) return "";
  const { maintenance, knowledge } = reading.blueprint;
  const parts = [
    ...knowledge.map(({ name, contents }) => `${name}:\n${contents}`),
    ...maintenance.map(({ name, run }) => `To ${name}, run:\n${run}`),
  ];
  if (parts.length === 0) return "";
  return `What is known of this computer:\n\n${parts.join("\n\n")}`.slice(
    0,
    sandboxLimits.computerTools.toldLength,
  );
}
