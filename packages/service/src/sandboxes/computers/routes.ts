/** @module Binds the operations on computers. */
import type { SandboxImageId } from "@fettle/contract/core";
import { type AskedBy, type Bindings, bindResource } from "../../core/routing/bind.ts";
import { findImage } from "../images/store.ts";
import { resetComputer, useImage } from "./computers.ts";
import { readOwnComputer } from "./own-computer.ts";

export const computerBindings = {
  useSandboxImage: bindResource(
    ({ app, caller, project, params }: AskedBy<{ imageId: SandboxImageId }>) =>
      findImage(app.db, project.id, params.imageId, caller.userId),
    ({ app, caller }, row) => useImage(app, caller.userId, row),
  ),
  getOwnComputer: ({ app, caller, project }) =>
    readOwnComputer(app, { projectId: project.id, userId: caller.userId }),
  resetComputer: ({ app, caller, project }) =>
    resetComputer(app, { projectId: project.id, userId: caller.userId }),
} satisfies Partial<Bindings>;
