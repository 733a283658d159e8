/** @module The rules of builds: who may start one, when an earlier one will do, and what is told of it. */
import {
  ApiError,
  imageProvider,
  type SandboxImageBuild,
  type SandboxImageBuildStarted,
  sandboxLimits,
} from "@fettle/contract";
import { announceInProject } from "../accounts/announce.ts";
import type { App } from "../app.ts";
import { holdName } from "../db/hold-name.ts";
import { newId } from "../id.ts";
import { requireEngine, throughEngine } from "../sandbox-engine/sandboxes.ts";
import { readBlueprint } from "./blueprint.ts";
import { builtTag } from "./build-image.ts";
import { buildImageJob, endBuild } from "./build-job.ts";
import * as store from "./build-store.ts";
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
    await holdName(tx, `builds of ${projectId}`);
    const [newest] = await store.listBuilds(tx, image.id);
    const isSame = newest?.contentHash === contentHash;
    if (newest && isSame && (!store.isEnded(newest) || (newest.status === "ready" && isKept))) {
      return { build: newest, reused: true, superseded: undefined };
    }
    const ready = isKept ? await store.findReadyOf(tx, projectId, contentHash) : undefined;
    const superseded = newest && !store.isEnded(newest) ? newest : undefined;
    if (superseded) await endBuild(app, tx, superseded, "The blueprint was changed and is built anew.");
    if (!ready && (await store.countOpen(tx, projectId)) >= sandboxLimits.openBuildsPerProject) {
      throw new ApiError(
        "CONFLICT",
        `A project has at most ${sandboxLimits.openBuildsPerProject} builds under way.`,
        { code: "TOO_MANY_BUILDS", hint: "Wait until one has ended." },
      );
    }
    const now = new Date(app.now());
    const build = await store.insertBuild(tx, {
      id: newId("sandboxImageBuild", app.now()),
      projectId,
      imageId: image.id,
      contentHash,
      recipe: recipeOf(image),
      status: "queued",
      createdAt: now,
      ...(ready && {
        status: "ready",
        providerBuildId: ready.providerBuildId,
        log: ready.log,
        startedAt: now,
        finishedAt: now,
      }),
    });
    if (!ready) {
      const input = { buildId: build.id };
      const job = await app.jobs.enqueue(buildImageJob, input, { singletonKey: build.id, inTransaction: tx });
      await store.updateOpenBuild(tx, build.id, { jobId: job.id });
    }
    await store.keepNewest(tx, image.id, sandboxLimits.buildsPerImage);
    await announceInProject(app, tx, projectId, "images");
    return { build, reused: ready !== undefined, superseded };
  });
  if (started.superseded?.jobId) await app.jobs.cancel(started.superseded.jobId);
  return { id: image.id, buildId: started.build.id, reused: started.reused };
}

/** Before the image goes. */
export async function cancelBuilds(app: App, image: ImageRow): Promise<void> {
  for (const build of await store.listBuilds(app.db, image.id)) {
    if (!store.isEnded(build) && build.jobId) await app.jobs.cancel(build.jobId);
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
