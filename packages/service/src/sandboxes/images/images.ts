/** @module The rules of sandbox images: a draft is one person's until an admin shares it, which is not taken back. */

import {
  ApiError,
  type ExpectedUpdatedAt,
  type ProjectId,
  type SandboxImageId,
  type UserId,
} from "@fettle/contract/core";
import {
  type SandboxImage,
  type SandboxImageBlueprintValidateResult,
  type SandboxImageCreateRequest,
  type SandboxImageUpdateRequest,
  sandboxLimits,
} from "@fettle/contract/sandboxes";
import type { App } from "../../core/app.ts";
import { inTransaction } from "../../core/db/in-transaction.ts";
import { holdNameLock } from "../../core/db/name-lock.ts";
import type { Querier } from "../../core/db/pool.ts";
import { isUniqueViolation } from "../../core/db/unique-violation.ts";
import { newId, type WithId } from "../../core/id.ts";
import { nextUpdate, requireAsRead } from "../../core/routing/as-read.ts";
import type { ProjectContext } from "../../core/routing/bind.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { readBlueprint } from "./blueprint.ts";
import { type NewestBuild, newestBuilds } from "./build-store.ts";
import { cancelBuilds, toBuild } from "./builds.ts";
import * as store from "./store.ts";

export async function listImages(db: Querier, projectId: ProjectId, userId: UserId): Promise<SandboxImage[]> {
  const rows = await store.listImages(db, projectId, userId);
  const builds = await newestBuilds(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => {
    const image = toImage(row, userId, builds.get(row.id));
    // Logs are read one image at a time: two hundred of them would be megabytes.
    return { ...image, currentBuild: image.currentBuild && { ...image.currentBuild, logPreview: undefined } };
  });
}

export async function readImage(db: Querier, userId: UserId, row: store.ImageRow): Promise<SandboxImage> {
  return toImage(row, userId, (await newestBuilds(db, [row.id])).get(row.id));
}

/** The same reading as when it is saved. */
export function checkBlueprint(source: string): SandboxImageBlueprintValidateResult {
  const reading = readBlueprint(source);
  if (!reading.ok) return reading;
  return { ok: true, baseImageDigest: reading.baseImageDigest };
}

export async function createImage(
  app: App,
  db: Querier,
  { projectId, userId }: { projectId: ProjectId; userId: UserId },
  { name, blueprint }: SandboxImageCreateRequest,
): Promise<WithId<"sandboxImage", SandboxImage>> {
  const written = parse(blueprint);
  const now = new Date(app.now());
  return refusingTakenName(name, () =>
    inTransaction(db, async (tx) => {
      await holdNameLock(tx, `sandbox images of ${projectId}`);
      if ((await store.countImages(tx, projectId)) >= sandboxLimits.imagesPerProject) {
        throw new ApiError("CONFLICT", `A project has at most ${sandboxLimits.imagesPerProject} images.`, {
          code: "TOO_MANY_IMAGES",
          hint: "Delete one that nobody uses.",
        });
      }
      const row = await store.insertImage(tx, {
        id: newId("sandboxImage", app.now()),
        projectId,
        ownerId: userId,
        name,
        sharing: "user",
        ...written,
        createdAt: now,
        updatedAt: now,
      });
      await announceInProject(app, tx, projectId, "images");
      return toImage(row, userId, undefined);
    }),
  );
}

export async function updateImage(
  app: App,
  project: ProjectContext,
  userId: UserId,
  image: store.ImageRow,
  { name, blueprint, expectedUpdatedAt }: SandboxImageUpdateRequest,
): Promise<SandboxImage> {
  requireWritable(image, project);
  const values = { ...(name !== undefined && { name }), ...(blueprint !== undefined && parse(blueprint)) };
  return change(app, userId, image, values, expectedUpdatedAt);
}

/** Admins do not see the draft, so that asking one of them to share it leads nowhere. */
export const hintForSharing = ({ sharing }: store.ImageRow) =>
  sharing === "user"
    ? "Nobody else sees your draft: ask one of them to give you the role, or give them the blueprint, to make and share an image of it."
    : undefined;

/** Said again of a shared one, nothing happens. */
export async function promoteImage(app: App, userId: UserId, image: store.ImageRow): Promise<SandboxImage> {
  if (image.sharing === "project") return readImage(app.db, userId, image);
  return change(app, userId, image, { sharing: "project" });
}

export async function deleteImage(
  app: App,
  project: ProjectContext,
  image: store.ImageRow,
  expectedUpdatedAt?: ExpectedUpdatedAt,
): Promise<{ id: SandboxImageId; projectId: ProjectId; deleted: true }> {
  requireWritable(image, project);
  requireAsRead(image, expectedUpdatedAt, sharedImage);
  await cancelBuilds(app, image);
  await app.db.transaction(async (tx) => {
    requireAsRead(await store.lockImage(tx, image.id), expectedUpdatedAt, sharedImage);
    await store.deleteImage(tx, image.id);
    await announceInProject(app, tx, image.projectId, "images");
  });
  return { id: image.id, projectId: image.projectId, deleted: true };
}

const sharedImage = { what: "The image", code: "IMAGE_CHANGED" };

function toImage(
  row: store.ImageRow,
  userId: UserId,
  newest: NewestBuild | undefined,
): WithId<"sandboxImage", SandboxImage> {
  return {
    id: row.id,
    projectId: row.projectId,
    name: row.name,
    blueprint: row.blueprint,
    contentHash: row.contentHash,
    sharing: row.sharing,
    isOwner: row.ownerId === userId,
    currentBuild: newest ? toBuild(newest) : null,
    isBuilt: newest?.isBuilt ?? false,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  };
}

async function change(
  app: App,
  userId: UserId,
  { id, name, projectId }: store.ImageRow,
  values: Partial<Pick<store.ImageRow, "name" | "sharing" | "blueprint" | "contentHash">>,
  expectedUpdatedAt?: ExpectedUpdatedAt,
): Promise<SandboxImage> {
  return refusingTakenName(values.name ?? name, () =>
    app.db.transaction(async (tx) => {
      const before = await store.lockImage(tx, id);
      if (!before) throw notFound("image");
      const updatedAt = nextUpdate(app, before, expectedUpdatedAt, sharedImage);
      const row = await store.updateImage(tx, id, { ...values, updatedAt });
      await announceInProject(app, tx, projectId, "images");
      return readImage(tx, userId, row);
    }),
  );
}

/** A draft that can be seen is the caller's own. */
export function requireWritable(image: store.ImageRow, project: ProjectContext): void {
  if (image.sharing === "user" || project.isAdmin) return;
  throw new ApiError("FORBIDDEN", "The image is shared: a project admin may do this.", {
    reason: "role_too_low",
  });
}

function parse(source: string): { blueprint: string; contentHash: string } {
  const reading = readBlueprint(source);
  if (reading.ok) return { blueprint: source, contentHash: reading.contentHash };
  const said = reading.errors.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  throw new ApiError("VALIDATION_ERROR", said.join(" "), {
    path: "body.blueprint",
    code: "INVALID_BLUEPRINT",
    errors: reading.errors,
  });
}

async function refusingTakenName<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const isTaken =
      isUniqueViolation(error, "sandbox_images_shared_name") ||
      isUniqueViolation(error, "sandbox_images_draft_name");
    if (!isTaken) throw error;
    throw new ApiError("CONFLICT", `There is already an image called ${name}.`, { code: "NAME_TAKEN", name });
  }
}
