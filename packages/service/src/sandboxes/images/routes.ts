/** @module Binds the operations on sandbox images. */
import type { SandboxImageId } from "@fettle/contract/core";
import { type AskedBy, type Bindings, bindResource } from "../../core/routing/bind.ts";
import { listBuilds, startBuild } from "./builds.ts";
import {
  checkBlueprint,
  createImage,
  deleteImage,
  hintForSharing,
  listImages,
  promoteImage,
  readImage,
  requireWritable,
  updateImage,
} from "./images.ts";
import { findImage } from "./store.ts";

const theImage = ({ app, caller, project, params }: AskedBy<{ imageId: SandboxImageId }>) =>
  findImage(app.db, project.id, params.imageId, caller.userId);

export const sandboxImageBindings = {
  listSandboxImages: async ({ app, caller, project }) => ({
    items: await listImages(app.db, project.id, caller.userId),
  }),
  getSandboxImage: bindResource(theImage, ({ app, caller }, row) => readImage(app.db, caller.userId, row)),
  validateSandboxImageBlueprint: async ({ body }) => checkBlueprint(body.blueprint),
  createSandboxImage: ({ app, db, caller, project, body }) =>
    createImage(app, db, { projectId: project.id, userId: caller.userId }, body),
  updateSandboxImage: bindResource(theImage, ({ app, caller, project, body }, row) =>
    updateImage(app, project, caller.userId, row, body),
  ),
  promoteSandboxImage: bindResource(
    theImage,
    ({ app, caller }, row) => promoteImage(app, caller.userId, row),
    hintForSharing,
  ),
  listSandboxImageBuilds: bindResource(theImage, async ({ app }, row) => ({
    items: await listBuilds(app, row),
  })),
  buildSandboxImage: bindResource(theImage, ({ app, project }, row) => {
    requireWritable(row, project);
    return startBuild(app, row);
  }),
  deleteSandboxImage: bindResource(theImage, ({ app, project, query }, row) =>
    deleteImage(app, project, row, query.expectedUpdatedAt),
  ),
} satisfies Partial<Bindings>;
