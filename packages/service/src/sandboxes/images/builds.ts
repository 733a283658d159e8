/** @module The rules of builds: who may start one, when an earlier one will do, and what is told of it. */
import { ApiError } from "@fettle/contract/core";
import {
  imageProvider,
  type SandboxImageBuild,
  type SandboxImageBuildStarted,
  sandboxLimits,
} from "@fettle/contract/sandboxes";
import type { App } from "../../core/app.ts";
import { holdNameLock } from "../../core/db/name-lock.ts";
import { newId } from "../../core/id.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { isOpen } from "../../runs/life/kind.ts";
import { endRun, launchRun, stopJob } from "../../runs/life/life.ts";
import { requireEngine, throughEngine } from "../engine/sandboxes.ts";
import { readBlueprint } from "./blueprint.ts";
import { builtTag } from "./build-image.ts";
import { buildImageJob } from "./build-job.ts";
import * as store from "./build-store.ts";
import { imageBuildKind } from "./kind.ts";
import type { ImageRow } from "./store.ts";

export async function listBuilds(app: App, image: ImageRow): Promise<SandboxImageBuild[]> {
  return (await store.listBuilds(app.db, image.id)).map(toBuild);
}

export async function startBuild(app: App, image: ImageRow): Promise<SandboxImageBuildStarted> {
  const engine = await requireEngine(app);
  const { projectId, contentHash } = image;
  // What the engine no longer has, because somebody cleaned up there, is built again.
  const isKept = await throughEngine(() => engine.images.has(builtTag(projectId, contentHash)));
  const started = await app.db.transaction(async (tx) => {
    await holdNameLock(tx, `builds of ${projectId}`);
    const [newest] = await store.listBuilds(tx, image.id);
    const isSame = newest?.contentHash === contentHash;
    if (newest && isSame && (isOpen(imageBuildKind, newest) || (newest.status === "ready" && isKept))) {
      return { build: newest, reused: true, superseded: undefined };
    }
    const ready = isKept ? await store.findReadyOf(tx, projectId, contentHash) : undefined;
    const superseded = newest && isOpen(imageBuildKind, newest) ? newest : undefined;
    if (superseded) await endRun(app, tx, imageBuildKind, superseded, { end: "canceled" });
    if (!ready && (await store.countOpen(tx, projectId)) >= sandboxLimits.openBuildsPerProject) {
      throw new ApiError(
        "CONFLICT",
        `A project has at most ${sandboxLimits.openBuildsPerProject} builds under way.`,
        { code: "TOO_MANY_BUILDS", hint: "Wait until one has ended." },
      );
    }
    const now = new Date(app.now());
    const id = newId("sandboxImageBuild", app.now());
    const recipe = recipeOf(image);
    const values = { id, projectId, imageId: image.id, contentHash, recipe, createdAt: now };
    if (ready) {
      const { providerBuildId, log } = ready;
      const ended = { status: "ready", providerBuildId, log, startedAt: now, finishedAt: now } as const;
      await store.insertBuild(tx, { ...values, ...ended });
      await announceInProject(app, tx, projectId, "images");
    } else {
      await launchRun(app, tx, imageBuildKind, { values, job: buildImageJob, input: { buildId: id } });
    }
    await store.keepNewest(tx, image.id, sandboxLimits.buildsPerImage);
    return { build: { id }, reused: ready !== undefined, superseded };
  });
  if (started.superseded) await stopJob(app, started.superseded);
  return { id: image.id, buildId: started.build.id, reused: started.reused };
}

/** Before the image goes. */
export async function cancelBuilds(app: App, image: ImageRow): Promise<void> {
  for (const build of await store.listBuilds(app.db, image.id)) {
    if (isOpen(imageBuildKind, build)) await stopJob(app, build);
  }
}

export function toBuild(row: store.BuildRow): SandboxImageBuild {
  return {
    id: row.id,
    status: row.status,
    provider: imageProvider,
    ...(row.providerBuildId !== null && { providerBuildId: row.providerBuildId }),
    baseImageDigests: [row.recipe.base.slice(row.recipe.base.indexOf("@") + 1)],
    ...(row.log !== "" && { logPreview: row.log }),
    ...(row.error !== null && { error: row.error }),
    createdAt: row.createdAt.getTime(),
    ...(row.startedAt && { startedAt: row.startedAt.getTime() }),
    ...(row.finishedAt && { finishedAt: row.finishedAt.getTime() }),
  };
}

/** A stored blueprint was read when it was saved. */
function recipeOf({ blueprint }: ImageRow) {
  const reading = readBlueprint(blueprint);
  if (!reading.ok)
    throw new ApiError("CONFLICT", "The blueprint is no longer valid.", { code: "INVALID_BLUEPRINT" });
  const { base, initialize } = reading.blueprint;
  return { base, initialize };
}
