/** @module Operations of the Sandbox images tag: drafts, builds, sharing, and the computer that runs on one. */
import { access, operation } from "../../core/operation.ts";
import { page } from "../../core/page.ts";
import { AsLastRead } from "../../core/timestamp.ts";
import {
  ComputerAttached,
  ComputerReset,
  SandboxImage,
  SandboxImageBlueprintValidateRequest,
  SandboxImageBlueprintValidateResult,
  SandboxImageBuild,
  SandboxImageBuildStarted,
  SandboxImageCreateRequest,
  SandboxImageDeleted,
  SandboxImageUpdateRequest,
} from "../sandbox-image.ts";

const tag = "Sandbox images";

export const listSandboxImages = operation({
  id: "listSandboxImages",
  tag,
  method: "GET",
  path: "/projects/{projectId}/images",
  access: access.project.read,
  summary: "List shared images and the caller's own drafts",
  description: "Lists the shared images of a project and the caller's own drafts.",
  cli: "fettle cloud images list",
  output: page(SandboxImage),
  built: true,
});

export const createSandboxImage = operation({
  id: "createSandboxImage",
  tag,
  method: "POST",
  path: "/projects/{projectId}/images",
  access: access.project.read,
  summary: "Create a personal image draft from a blueprint",
  description:
    "Saves a blueprint as a draft that only its owner sees. `buildSandboxImage` builds it, `promoteSandboxImage` shares it.",
  effect: "write",
  touches: {},
  names: "sandboxImage",
  status: 201,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  cli: "fettle cloud images create",
  body: SandboxImageCreateRequest,
  output: SandboxImage,
  built: true,
});

export const getSandboxImage = operation({
  id: "getSandboxImage",
  tag,
  method: "GET",
  path: "/projects/{projectId}/images/{imageId}",
  access: access.project.read,
  summary: "Read one image",
  description: "Reads one image with its blueprint and its current build.",
  cli: "fettle cloud images get",
  output: SandboxImage,
  built: true,
});

export const updateSandboxImage = operation({
  id: "updateSandboxImage",
  tag,
  method: "PATCH",
  path: "/projects/{projectId}/images/{imageId}",
  access: access.project.read,
  elevated: "the draft's owner, or project admin once shared",
  summary: "Rename an image or change its blueprint",
  description:
    "Changes an image's name or blueprint. A changed blueprint has to be built before it takes effect.",
  effect: "write",
  touches: { sandboxImage: "path.imageId" },
  names: "sandboxImage",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  cli: "fettle cloud images edit",
  body: SandboxImageUpdateRequest,
  output: SandboxImage,
  built: true,
});

export const deleteSandboxImage = operation({
  id: "deleteSandboxImage",
  tag,
  method: "DELETE",
  path: "/projects/{projectId}/images/{imageId}",
  access: access.project.read,
  elevated: "the draft's owner, or project admin once shared",
  summary: "Delete an image for good",
  description:
    "Deletes an image and cancels its builds. Environments that name it say so when they are resolved.",
  errors: ["CONFLICT", "VALIDATION_ERROR"],
  cli: "fettle cloud images delete",
  output: SandboxImageDeleted,
  built: true,
  query: AsLastRead,
});

export const listSandboxImageBuilds = operation({
  id: "listSandboxImageBuilds",
  tag,
  method: "GET",
  path: "/projects/{projectId}/images/{imageId}/builds",
  access: access.project.read,
  summary: "List an image's builds, newest first",
  description: "Lists the builds of an image, newest first, with the end of their logs.",
  cli: "fettle cloud images logs",
  output: page(SandboxImageBuild),
  built: true,
});

export const buildSandboxImage = operation({
  id: "buildSandboxImage",
  tag,
  method: "POST",
  path: "/projects/{projectId}/images/{imageId}/build",
  access: access.project.read,
  elevated: "the draft's owner, or project admin once shared",
  summary: "Start building an image",
  description:
    "Starts a build and answers at once. The same blueprint built again answers with the build there is. Follow it with `listSandboxImageBuilds`.",
  effect: "outside",
  status: 202,
  idempotent: "claimed",
  errors: ["VALIDATION_ERROR", "CONFLICT", "FEATURE_NOT_SUPPORTED"],
  cli: "fettle cloud images build",
  output: SandboxImageBuildStarted,
  built: true,
});

export const promoteSandboxImage = operation({
  id: "promoteSandboxImage",
  tag,
  method: "POST",
  path: "/projects/{projectId}/images/{imageId}/promote",
  access: access.project.admin,
  summary: "Share a draft image with the project, one way",
  description: "Shares a draft with everyone in the project.",
  effect: "person",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  cli: "fettle cloud images promote",
  output: SandboxImage,
  built: true,
});

export const useSandboxImage = operation({
  id: "useSandboxImage",
  tag,
  method: "POST",
  path: "/projects/{projectId}/images/{imageId}/use",
  access: access.project.read,
  summary: "Move the caller's computer onto an image, wiping it",
  description: "Makes this image the caller's computer in the project. The image must have been built.",
  effect: "outside",
  errors: ["VALIDATION_ERROR", "CONFLICT", "FEATURE_NOT_SUPPORTED"],
  cli: "fettle cloud images use",
  output: ComputerAttached,
  built: true,
});

export const resetComputer = operation({
  id: "resetComputer",
  tag,
  method: "POST",
  path: "/projects/{projectId}/computer/reset",
  access: access.project.read,
  summary: "Reset the caller's computer to its image",
  description:
    "Deletes the caller's computer in this project with everything on it. The next use starts with a fresh one.",
  effect: "remove",
  errors: ["VALIDATION_ERROR", "CONFLICT", "FEATURE_NOT_SUPPORTED"],
  cli: "fettle cloud images reset",
  output: ComputerReset,
  built: true,
});

export const validateSandboxImageBlueprint = operation({
  id: "validateSandboxImageBlueprint",
  tag,
  method: "POST",
  path: "/projects/{projectId}/images/validate",
  access: access.project.read,
  summary: "Lint a blueprint without storing it",
  description:
    "Checks a blueprint without saving or building it. Every problem comes with its place in the text.",
  effect: "write",
  touches: {},
  errors: ["VALIDATION_ERROR"],
  cli: "fettle cloud images validate",
  body: SandboxImageBlueprintValidateRequest,
  output: SandboxImageBlueprintValidateResult,
  built: true,
});
