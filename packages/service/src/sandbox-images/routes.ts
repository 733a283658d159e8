/** @module Binds the operations on sandbox images. */
import type { ProjectId, SandboxImageId, UserId } from "@fettle/contract";
import { type Bindings, bindResource, type Call } from "../routing/bind.ts";
import {
  checkBlueprint,
  createImage,
  deleteImage,
  listImages,
  promoteImage,
  toImage,
  updateImage,
} from "./images.ts";
import { findImage } from "./store.ts";

const theImage = ({
  app,
  caller,
  project,
  params,
}: Pick<Call<never>, "app"> & {
  caller: { userId: UserId };
  project: { id: ProjectId };
  params: { imageId: SandboxImageId };
}) => findImage(app.db, project.id, params.imageId, caller.userId);

export const sandboxImageBindings = {
  listSandboxImages: async ({ app, caller, project }) => ({
    items: await listImages(app.db, project.id, caller.userId),
  }),
  getSandboxImage: bindResource(theImage, ({ caller }, row) => toImage(row, caller.userId)),
  validateSandboxImageBlueprint: async ({ body }) => checkBlueprint(body.blueprint),
  createSandboxImage: ({ app, db, caller, project, body }) =>
    createImage(app, db, { projectId: project.id, userId: caller.userId }, body),
  updateSandboxImage: bindResource(theImage, ({ app, caller, project, body }, row) =>
    updateImage(app, project, caller.userId, row, body),
  ),
  promoteSandboxImage: bindResource(theImage, ({ app, caller }, row) =>
    promoteImage(app, caller.userId, row),
  ),
  deleteSandboxImage: bindResource(theImage, ({ app, project }, row) => deleteImage(app, project, row)),
} satisfies Partial<Bindings>;
