/** @module Operations of the Catalog tag: who am I, organizations, projects, saved servers, models. */
import { z } from "zod";
import { access, operation } from "../operation.ts";
import { page } from "../page.ts";
import { Me, Organization } from "../resources/account.ts";
import { Model } from "../resources/model.ts";
import { Project, ProjectCreateRequest, ProjectDeleted, ProjectUpdateRequest } from "../resources/project.ts";
import { ProjectCapabilities } from "../resources/project-capabilities.ts";

const tag = "Catalog";

export const getMe = operation({
  id: "getMe",
  tag,
  method: "GET",
  path: "/me",
  access: access.any,
  summary: "The account behind the credential",
  built: true,
  output: Me,
});

export const listOrganizations = operation({
  id: "listOrganizations",
  tag,
  method: "GET",
  path: "/organizations",
  access: access.any,
  summary: "List the caller's organizations; a key sees only its own",
  built: true,
  output: page(Organization),
});

export const listProjects = operation({
  id: "listProjects",
  tag,
  method: "GET",
  path: "/projects",
  access: access.any,
  summary: "List the projects the caller can see",
  built: true,
  query: z.strictObject({ organizationId: z.string().min(1).optional() }),
  output: page(Project),
});

export const createProject = operation({
  id: "createProject",
  tag,
  method: "POST",
  path: "/projects",
  access: access.any,
  elevated: "organization role member or above in the organization it is made in",
  summary: "Create a project",
  built: true,
  status: 201,
  idempotent: true,
  body: ProjectCreateRequest,
  output: Project,
  errors: ["VALIDATION_ERROR"],
});

export const getProject = operation({
  id: "getProject",
  tag,
  method: "GET",
  path: "/projects/{projectId}",
  access: access.project.read,
  summary: "Read one project",
  built: true,
  output: Project,
});

export const updateProject = operation({
  id: "updateProject",
  tag,
  method: "PATCH",
  path: "/projects/{projectId}",
  access: access.project.admin,
  summary: "Rename, describe, or change the visibility of a project",
  built: true,
  body: ProjectUpdateRequest,
  output: Project,
  errors: ["VALIDATION_ERROR"],
});

export const deleteProject = operation({
  id: "deleteProject",
  tag,
  method: "DELETE",
  path: "/projects/{projectId}",
  access: access.project.admin,
  summary: "Delete a project and everything in it, for good",
  built: true,
  output: ProjectDeleted,
  errors: ["VALIDATION_ERROR"],
});

export const getProjectCapabilities = operation({
  id: "getProjectCapabilities",
  tag,
  method: "GET",
  path: "/projects/{projectId}/capabilities",
  access: access.project.read,
  summary: "What the caller may do in a project",
  built: true,
  output: ProjectCapabilities,
});

export const listModels = operation({
  id: "listModels",
  tag,
  method: "GET",
  path: "/models",
  access: access.any,
  summary: "List the models this deployment offers",
  built: true,
  output: page(Model),
});
