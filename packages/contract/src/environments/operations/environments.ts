/** @module Operations of the Environments tag: server groups, and the named or ad-hoc bundles that runs execute against. */
import { z } from "zod";
import { access, operation } from "../../core/operation.ts";
import { page } from "../../core/page.ts";
import { ServerGroup, ServerGroupCreateRequest } from "../../servers/server-group.ts";
import {
  AdhocEnvironment,
  AdhocEnvironmentEnsured,
  AdhocEnvironmentRequest,
  Environment,
  EnvironmentCapabilities,
  EnvironmentCreateRequest,
  EnvironmentNameRequest,
  EnvironmentRevisionRequest,
  EnvironmentUpdateRequest,
  ResolvedEnvironment,
} from "../environment.ts";

const tag = "Environments";

export const listServerGroups = operation({
  id: "listServerGroups",
  tag,
  method: "GET",
  path: "/projects/{projectId}/server-groups",
  access: access.project.read,
  summary: "List a project's server groups",
  description: "Lists the named sets of servers that environments can attach.",
  cli: "fettle cloud server-groups list",
  output: page(ServerGroup),
  built: true,
});

export const createServerGroup = operation({
  id: "createServerGroup",
  tag,
  method: "POST",
  path: "/projects/{projectId}/server-groups",
  access: access.project.admin,
  summary: "Freeze a set of saved servers under a name",
  description: "Names a set of saved servers, to attach them to environments together.",
  effect: "write",
  touches: {},
  cli: "fettle cloud server-groups create",
  status: 201,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  built: true,
  body: ServerGroupCreateRequest,
  output: ServerGroup,
});

export const listEnvironments = operation({
  id: "listEnvironments",
  tag,
  method: "GET",
  path: "/projects/{projectId}/environments",
  access: access.project.read,
  summary: "List a project's named environments",
  description:
    "Lists the named environments of a project. Archived ones are left out unless `includeArchived` is set.",
  cli: "fettle cloud environments list",
  built: true,
  query: z.strictObject({
    includeArchived: z.stringbool().default(false).describe("Also archived ones"),
  }),
  output: page(Environment),
});

export const createEnvironment = operation({
  id: "createEnvironment",
  tag,
  method: "POST",
  path: "/projects/{projectId}/environments",
  access: access.project.admin,
  summary: "Create a named environment",
  description:
    "Creates an environment: a client with its servers, model, skills and plugins, which suites, journeys and scenarios run in.",
  effect: "write",
  touches: {},
  cli: "fettle cloud environments create",
  status: 201,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  built: true,
  body: EnvironmentCreateRequest,
  output: Environment,
});

export const getEnvironmentCapabilities = operation({
  id: "getEnvironmentCapabilities",
  tag,
  method: "GET",
  path: "/projects/{projectId}/environments/capabilities",
  access: access.project.read,
  summary: "What environments can hold on this deployment",
  description: "Says what environments of this project may use: models, skills, plugins, sandbox images.",
  built: true,
  output: EnvironmentCapabilities,
});

export const getEnvironment = operation({
  id: "getEnvironment",
  tag,
  method: "GET",
  path: "/projects/{projectId}/environments/{environmentId}",
  access: access.project.read,
  summary: "Read one environment, named or ad-hoc",
  description: "Reads one environment with its revision.",
  cli: "fettle cloud environments get",
  built: true,
  output: z.union([Environment, AdhocEnvironment]),
});

export const updateEnvironment = operation({
  id: "updateEnvironment",
  tag,
  method: "PATCH",
  path: "/projects/{projectId}/environments/{environmentId}",
  access: access.project.admin,
  summary: "Change an environment at the revision the caller last read",
  description:
    "Changes an environment and raises its revision. Send the revision you last read as `expectedRevision`: another one is a 409.",
  effect: "write",
  touches: { environment: "path.environmentId" },
  cli: "fettle cloud environments update",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  built: true,
  body: EnvironmentUpdateRequest,
  output: Environment,
});

export const resolveEnvironment = operation({
  id: "resolveEnvironment",
  tag,
  method: "GET",
  path: "/projects/{projectId}/environments/{environmentId}/resolve",
  access: access.project.read,
  summary: "What a run started now would execute with",
  description:
    "Shows what running in this environment means now: its servers, model, skills and plugins with their versions, and what is missing.",
  cli: "fettle cloud environments resolve",
  errors: ["CONFLICT"],
  built: true,
  output: ResolvedEnvironment,
});

export const ensureAdhocEnvironment = operation({
  id: "ensureAdhocEnvironment",
  tag,
  method: "POST",
  path: "/projects/{projectId}/environments/ensure-adhoc",
  access: access.project.read,
  elevated: "project admin when pluginVersionIds is set",
  summary: "Get or make the unnamed environment of exactly this stack",
  description:
    "Finds or creates the unnamed environment with exactly these parts, so that the same parts always give the same id. Name it with `nameEnvironment` to keep it.",
  effect: "write",
  touches: {},
  cli: "fettle cloud environments ensure-adhoc",
  errors: ["VALIDATION_ERROR"],
  built: true,
  body: AdhocEnvironmentRequest,
  output: AdhocEnvironmentEnsured,
});

export const nameEnvironment = operation({
  id: "nameEnvironment",
  tag,
  method: "POST",
  path: "/projects/{projectId}/environments/{environmentId}/name",
  access: access.project.admin,
  summary: "Give an ad-hoc environment a name; it keeps its id and runs",
  description: "Gives an unnamed environment a name, so that it is listed and stays.",
  effect: "person",
  cli: "fettle cloud environments name",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  built: true,
  body: EnvironmentNameRequest,
  output: Environment,
});

export const archiveEnvironment = operation({
  id: "archiveEnvironment",
  tag,
  method: "POST",
  path: "/projects/{projectId}/environments/{environmentId}/archive",
  access: access.project.admin,
  summary: "Archive an environment and free its name",
  description: "Takes an environment out of use and keeps its history. `restoreEnvironment` brings it back.",
  effect: "remove",
  cli: "fettle cloud environments archive",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  built: true,
  body: EnvironmentRevisionRequest,
  output: Environment,
});

export const restoreEnvironment = operation({
  id: "restoreEnvironment",
  tag,
  method: "POST",
  path: "/projects/{projectId}/environments/{environmentId}/restore",
  access: access.project.admin,
  summary: "Bring an archived environment back",
  description:
    "Brings an archived environment back under its name. If the name has been taken since, the answer is 409.",
  effect: "person",
  cli: "fettle cloud environments restore",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  built: true,
  body: EnvironmentRevisionRequest,
  output: Environment,
});
