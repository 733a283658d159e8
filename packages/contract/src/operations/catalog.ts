/** @module Operations of the Catalog tag: who am I, organizations, projects, saved servers, sessions. */
import { z } from "zod";
import { idOf } from "../core/id-of.ts";
import { jsonObject } from "../core/json-object.ts";
import { limits } from "../core/limits/limits.ts";
import { access, operation } from "../core/operation.ts";
import { commaList, cursor, page, pageOrWholeQuery, pageQuery } from "../core/page.ts";
import { AsLastRead } from "../core/timestamp.ts";
import { HarnessTool } from "../environments/harness.ts";
import { HostCatalog } from "../environments/host-catalog.ts";
import { EvalSuite } from "../evals/suite.ts";
import { Me, Organization } from "../people/account.ts";
import { Project, ProjectCreateRequest, ProjectDeleted, ProjectUpdateRequest } from "../people/project.ts";
import { ProjectCapabilities } from "../people/project-capabilities.ts";
import {
  ProjectServer,
  ProjectServerCreateRequest,
  ProjectServerDeleted,
  ProjectServerUpdated,
  ProjectServerUpdateRequest,
} from "../servers/server.ts";
import { ChatSession, SessionSummaryPage } from "../visitors/chat/chat.ts";
import { searchScopes, sessionSources, sessionStatuses } from "../visitors/chat/words.ts";

const tag = "Catalog";

const ofProject = z.strictObject({ projectId: idOf<"project">().optional() });
const chatLimit = z.coerce
  .number()
  .int()
  .min(1)
  .max(limits.chat.listed.max)
  .default(limits.chat.listed.fallback);

export const getMe = operation({
  id: "getMe",
  tag,
  method: "GET",
  path: "/me",
  access: access.any,
  summary: "The account behind the credential",
  description:
    "Reads who the caller is: the account and how the call was authenticated. A quick way to try a key.",
  cli: "fettle cloud whoami",
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
  description: "Lists the organizations of the caller, with the caller's role in each.",
  cli: "fettle cloud organizations list",
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
  description: "Lists the projects the caller can see.",
  cli: "fettle cloud projects list",
  built: true,
  query: z.strictObject({ organizationId: idOf<"organization">().optional() }),
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
  description: "Creates a project in an organization. Its maker becomes project admin.",
  effect: "write",
  touches: {},
  cli: "fettle cloud projects create",
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
  description: "Reads one project with the caller's role in it.",
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
  description: "Changes a project. Send `expectedUpdatedAt` to be told of other changes with a 409.",
  effect: "person",
  cli: "fettle cloud projects update",
  built: true,
  body: ProjectUpdateRequest,
  output: Project,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});

export const deleteProject = operation({
  id: "deleteProject",
  tag,
  method: "DELETE",
  path: "/projects/{projectId}",
  access: access.project.admin,
  summary: "Delete a project and everything in it, for good",
  description: "Deletes a project with everything in it. This cannot be undone.",
  cli: "fettle cloud projects delete",
  built: true,
  query: AsLastRead,
  output: ProjectDeleted,
  errors: ["CONFLICT", "VALIDATION_ERROR"],
});

export const getProjectCapabilities = operation({
  id: "getProjectCapabilities",
  tag,
  method: "GET",
  path: "/projects/{projectId}/capabilities",
  access: access.project.read,
  summary: "What the caller may do in a project",
  description: "Says what the caller may do in this project and which optional features this deployment has.",
  built: true,
  output: ProjectCapabilities,
});

export const getHostCompatCatalog = operation({
  id: "getHostCompatCatalog",
  tag,
  method: "GET",
  path: "/host-catalog",
  access: access.any,
  summary: "What is known about each MCP host",
  description:
    "Reads what each known AI host supports of MCP, for compatibility reports. It is the same for everyone and changes with releases.",
  cli: "fettle compat",
  kept: true,
  built: true,
  output: HostCatalog,
});

export const listHarnessBuiltinTools = operation({
  id: "listHarnessBuiltinTools",
  tag,
  method: "GET",
  path: "/harness/{harnessId}/builtin-tools",
  access: access.any,
  summary: "List the tools an agent runtime brings along",
  description: "Lists the tools that an agent harness brings along, whatever servers it is given.",
  kept: true,
  output: page(HarnessTool),
  built: true,
});

export const listProjectServers = operation({
  id: "listProjectServers",
  tag,
  method: "GET",
  path: "/projects/{projectId}/servers",
  access: access.project.read,
  summary: "List a project's saved servers, without their secrets",
  description: "Lists the servers saved in a project. Secrets are never answered.",
  cli: "fettle cloud projects servers list",
  built: true,
  query: pageOrWholeQuery,
  output: page(ProjectServer),
});

export const createProjectServer = operation({
  id: "createProjectServer",
  tag,
  method: "POST",
  path: "/projects/{projectId}/servers",
  access: access.project.read,
  summary: "Save a server in a project",
  description: "Saves a server under a name. Nothing is contacted; try it with `validateServer`.",
  effect: "person",
  status: 201,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT", "FEATURE_NOT_SUPPORTED"],
  cli: "fettle cloud projects servers add",
  built: true,
  body: ProjectServerCreateRequest,
  output: ProjectServer,
});

export const listEvalSuites = operation({
  id: "listEvalSuites",
  tag,
  method: "GET",
  path: "/projects/{projectId}/eval-suites",
  access: access.project.read,
  summary: "List a project's eval suites with their latest results",
  description: "Lists the suites of a project with their latest run.",
  cli: "fettle cloud eval list",
  query: pageOrWholeQuery,
  output: page(EvalSuite),
  built: true,
});

export const listSessions = operation({
  id: "listSessions",
  tag,
  method: "GET",
  path: "/projects/{projectId}/sessions",
  access: access.project.read,
  elevated: "others' private sessions are left out",
  summary: "List or search a project's sessions",
  description:
    "Searches conversations of every kind in a project: chats, evals, user tests, swarms. `q` looks for words.",
  cli: "fettle cloud sessions search",
  built: true,
  query: z.strictObject({
    q: z.string().max(limits.chat.queryLength).optional().describe("Said, even blank: a search, best first"),
    scope: z.enum(searchScopes).optional().describe("Where to search; needs q"),
    sourceType: commaList(z.enum(sessionSources))
      .optional()
      .describe("Only of these kinds, with commas between them"),
    status: z.enum(sessionStatuses).optional(),
    limit: chatLimit,
    cursor: cursor.optional(),
  }),
  output: SessionSummaryPage,
  errors: ["VALIDATION_ERROR"],
});

export const listChatSessions = operation({
  id: "listChatSessions",
  tag,
  method: "GET",
  path: "/chat-sessions",
  access: access.any,
  elevated: "the caller's own sessions only",
  summary: "List the caller's chat sessions",
  description: "Lists the caller's conversations, most recent activity first.",
  cli: "fettle cloud sessions list",
  built: true,
  query: ofProject.extend({
    status: z.enum(sessionStatuses).optional(),
    limit: chatLimit,
    before: cursor.optional().describe("The cursor of the page before"),
  }),
  output: page(ChatSession),
});

export const getProjectServer = operation({
  id: "getProjectServer",
  tag,
  method: "GET",
  path: "/projects/{projectId}/servers/{serverId}",
  access: access.project.read,
  summary: "Read one saved server, without its secrets",
  description: "Reads one saved server. Secrets are never answered; `has…` fields say that one is stored.",
  cli: "fettle cloud projects servers get",
  built: true,
  output: ProjectServer,
});

export const updateProjectServer = operation({
  id: "updateProjectServer",
  tag,
  method: "PATCH",
  path: "/projects/{projectId}/servers/{serverId}",
  access: access.project.read,
  elevated: "project admin when the server is shared as an OAuth connection",
  summary: "Change a saved server",
  description:
    "Changes a saved server. Fields that are left out stay. An address of another origin drops stored credentials.",
  effect: "person",
  errors: ["VALIDATION_ERROR", "CONFLICT", "FEATURE_NOT_SUPPORTED"],
  cli: "fettle cloud projects servers update",
  built: true,
  body: ProjectServerUpdateRequest,
  output: ProjectServerUpdated,
});

export const deleteProjectServer = operation({
  id: "deleteProjectServer",
  tag,
  method: "DELETE",
  path: "/projects/{projectId}/servers/{serverId}",
  access: access.project.read,
  summary: "Delete a saved server",
  description: "Deletes a saved server with its history, schedules and stored credentials.",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  cli: "fettle cloud projects servers remove",
  built: true,
  query: AsLastRead,
  output: ProjectServerDeleted,
});

export const exportTracesOtlp = operation({
  id: "exportTracesOtlp",
  tag,
  method: "GET",
  path: "/trace-exports/otlp",
  access: access.project.readByQuery,
  elevated: "sessions the caller may not read are left out",
  summary: "Export recorded traces as OTLP",
  description:
    "Exports conversations as OpenTelemetry traces in OTLP JSON. Send `nextCursor` back to go on. Texts are included only with `includeContent`.",
  errors: ["VALIDATION_ERROR"],
  query: pageQuery(limits.page.eval).extend({
    projectId: idOf<"project">(),
    sourceTypes: commaList(z.enum(["eval", "chat", "swarm", "user-testing"]))
      .optional()
      .describe("Kinds of traces, with commas between them; absent: all. So far only `eval` has any"),
    includeContent: z
      .enum(["true", "false"])
      .default("false")
      .transform((word) => word === "true")
      .describe("What was said is left out unless this is `true`"),
  }),
  output: z
    .looseObject({ resourceSpans: z.array(jsonObject) })
    .describe(
      "An OTLP trace request. The headers `x-fettle-next-cursor` and `x-fettle-export-complete` say whether there is more",
    )
    .meta({ id: "OtlpTraces" }),
  built: true,
});
