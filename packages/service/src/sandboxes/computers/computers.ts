/** @module The rules of computers: one for each person in each project, made of an image, kept while it sleeps. */
import { ApiError, type ProjectId, type UserId } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import type { ComputerAttached, ComputerReset } from "@fettle/contract/sandboxes";
import type { App } from "../../core/app.ts";
import { newId } from "../../core/id.ts";
import { bringBase } from "../engine/base-image.ts";
import { type Engine, labelsFor } from "../engine/engine.ts";
import { idleCommand } from "../engine/exec-limits.ts";
import { BaseImageError } from "../engine/oci-layout.ts";
import { throughEngine as askingEngine, requireEngine } from "../engine/sandboxes.ts";
import { builtTag } from "../images/build-image.ts";
import { findReady } from "../images/build-store.ts";
import type { ImageRow } from "../images/store.ts";
import * as store from "./store.ts";

const generationLabel = "fettle.generation";

interface Whose {
  projectId: ProjectId;
  userId: UserId;
}

/** Moves the person's computer onto the image. Whatever was on it is gone. */
export async function useImage(app: App, userId: UserId, image: ImageRow): Promise<ComputerAttached> {
  const engine = await requireEngine(app);
  const build = await findReady(app.db, image.id);
  if (!build) {
    throw new ApiError("CONFLICT", "The image has no build that is ready.", {
      code: "IMAGE_NOT_BUILT",
      hint: `Build it first: fettle cloud images build --image ${image.id}`,
    });
  }
  const { contentHash, recipe } = build;
  const whose = { projectId: image.projectId, userId };
  const row = await boot(app, engine, whose, { imageId: image.id, contentHash, base: recipe.base });
  return { imageId: image.id, computerId: row.id, status: row.status };
}

/** Back to what it was made of, or to the base where that image is gone. */
export async function resetComputer(app: App, whose: Whose): Promise<ComputerReset> {
  const engine = await requireEngine(app);
  const row = await store.findComputer(app.db, whose.projectId, whose.userId);
  if (row) await boot(app, engine, whose, row);
  return { projectId: whose.projectId, reset: row !== undefined };
}

/** The person's computer, running. One that slept goes on with its files; one that was lost is made anew. */
export async function wakeComputer(
  app: App,
  whose: Whose,
): Promise<{ engine: Engine; container: string; row: store.ComputerRow }> {
  const engine = await requireEngine(app);
  const row = await store.findComputer(app.db, whose.projectId, whose.userId);
  if (!row) {
    throw new ApiError("CONFLICT", "There is no computer for you in this project yet.", {
      code: "NO_COMPUTER",
      hint: "Boot it from an image: fettle cloud images use --image …",
    });
  }
  if (row.status === "failed") {
    throw new ApiError("CONFLICT", `Your computer was stopped: ${row.error ?? "it failed."}`, {
      code: "COMPUTER_FAILED",
      hint: "Reset it: fettle cloud images reset",
    });
  }
  return throughEngine(async () => {
    const container = store.isOfDeletedImage(row) ? null : row.containerId;
    const found = container === null ? undefined : await engine.containers.find(container);
    if (!found || container === null) {
      const made = await boot(app, engine, whose, row);
      return { engine, container: must(made.containerId, "the container that was just made"), row: made };
    }
    if (!found.isRunning) await engine.containers.start(container);
    const change = { status: "ready", lastUsedAt: new Date(app.now()) } as const;
    await store.updateGeneration(app.db, row, change);
    return { engine, container, row: { ...row, ...change } };
  });
}

/** Makes its container anew, and removes what it had before. */
async function boot(
  app: App,
  engine: Engine,
  whose: Whose,
  of: Pick<store.ComputerRow, "imageId" | "contentHash" | "base">,
): Promise<store.ComputerRow> {
  const now = new Date(app.now());
  const { imageId, base } = of;
  const contentHash = imageId === null ? store.ofBase : of.contentHash;
  const row = await store.beginComputer(app.db, {
    id: newId("computer", app.now()),
    ...whose,
    imageId,
    contentHash,
    base,
    lastUsedAt: now,
    createdAt: now,
  });
  const labels = { ...labelsFor("computer", row.id), [generationLabel]: String(row.generation) };
  try {
    return await throughEngine(async () => {
      const built = builtTag(whose.projectId, contentHash);
      const isBuilt = imageId !== null && (await engine.images.has(built));
      const image = isBuilt ? built : await bringBase(engine, app.config.sandbox, base);
      const { limits } = app.config.sandbox;
      const container = await engine.containers.create({ labels, image, command: [...idleCommand], limits });
      await engine.containers.start(container);
      const isOurs = await store.updateGeneration(app.db, row, { status: "ready", containerId: container });
      if (!isOurs) {
        await engine.containers.remove(container);
        throw new ApiError("CONFLICT", "Your computer was booted again in the meantime.", {
          code: "COMPUTER_CHANGED",
        });
      }
      await removeOlder(engine, row);
      return { ...row, status: "ready", containerId: container };
    });
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    await store.updateGeneration(app.db, row, { status: "failed", error: said });
    throw error;
  }
}

async function removeOlder(engine: Engine, { id, generation }: store.ComputerRow): Promise<void> {
  for (const found of await engine.containers.list(labelsFor("computer", id))) {
    if (isOlder(found.labels, { generation })) await engine.containers.remove(found.id);
  }
}

/** Of a computer that was made anew since. */
export function isOlder(labels: Record<string, string>, { generation }: { generation: number }): boolean {
  return Number(labels[generationLabel]) < generation;
}

/** Likewise for a base that is not to be had any more. */
async function throughEngine<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await askingEngine(work);
  } catch (error) {
    if (!(error instanceof BaseImageError)) throw error;
    throw new ApiError("CONFLICT", error.message, { code: "BASE_IMAGE_MISSING" });
  }
}
