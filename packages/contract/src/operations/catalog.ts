/** @module Operations of the Catalog tag: who am I, organizations, projects, saved servers, sessions. */
import { z } from "zod";
import { idOf } from "../core/id-of.ts";
import { jsonObject } from "../core/json-object.ts";
import { largestCount } from "../core/largest-count.ts";
import { limits } from "../core/limits/limits.ts";
import { access, operation } from "../core/operation.ts";
import { cursor, page, pageQuery } from "../core/page.ts";
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
import {
  ChatSession,
  ChatSessionDetail,
  ChatSessionPromoted,
  ChatSessionPromoteRequest,
  ChatSessionTrace,
  SessionSummaryPage,
} from "../visitors/chat/chat.ts";
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
  cli: "fettle cloud projects delete",
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

export const getChatSession = operation({
  id: "getChatSession",
  tag,
  method: "GET",
  path: "/chat-sessions/{sessionId}",
  access: access.owner,
  elevated: "workspace member of the project the session belongs to",
  summary: "Read a session's messages",
  cli: "fettle cloud sessions show",
  built: true,
  query: ofProject.extend({
    afterMessageIndex: z.coerce
      .number()
      .int()
      .min(0)
      .max(largestCount)
      .optional()
      .describe("Only messages after this one"),
    limit: chatLimit,
  }),
  output: ChatSessionDetail,
  errors: ["VALIDATION_ERROR"],
});

export const promoteChatSession = operation({
  id: "promoteChatSession",
  tag,
  method: "POST",
  path: "/chat-sessions/{sessionId}/promote",
  access: access.owner,
  elevated: "workspace member of the project the session belongs to",
  summary: "Make an eval case of a session; the answer says what the case cannot keep of it",
  effect: "write",
  touches: { evalSuite: "body.suiteId" },
  cli: "fettle cloud sessions promote",
  status: 201,
  idempotent: true,
  built: true,
  body: ChatSessionPromoteRequest,
  output: ChatSessionPromoted,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});

export const getChatSessionTrace = operation({
  id: "getChatSessionTrace",
  tag,
  method: "GET",
  path: "/chat-sessions/{sessionId}/trace",
  access: access.owner,
  elevated: "workspace member of the project the session belongs to",
  summary: "Read the recorded turns of a session",
  cli: "fettle cloud sessions trace",
  built: true,
  query: ofProject.extend({
    turnId: idOf<"chatTurn">().optional(),
    afterPromptIndex: z.coerce
      .number()
      .int()
      .min(-1)
      .max(largestCount)
      .optional()
      .describe("Turns after this one"),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(limits.chat.tracedTurns.max)
      .default(limits.chat.tracedTurns.fallback),
    includeSpans: z.stringbool().default(true),
  }),
  output: ChatSessionTrace,
  errors: ["VALIDATION_ERROR"],
});

export const getHostCompatCatalog = operation({
  id: "getHostCompatCatalog",
  tag,
  method: "GET",
  path: "/host-catalog",
  access: access.any,
  summary: "What is known about each MCP host",
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
});

export const listProjectServers = operation({
  id: "listProjectServers",
  tag,
  method: "GET",
  path: "/projects/{projectId}/servers",
  access: access.project.read,
  summary: "List a project's saved servers, without their secrets",
  cli: "fettle cloud projects servers list",
  built: true,
  output: page(ProjectServer),
});

export const createProjectServer = operation({
  id: "createProjectServer",
  tag,
  method: "POST",
  path: "/projects/{projectId}/servers",
  access: access.project.read,
  summary: "Save a server in a project",
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
  cli: "fettle cloud eval list",
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
  cli: "fettle cloud sessions search",
  built: true,
  query: z.strictObject({
    q: z.string().max(limits.chat.queryLength).optional().describe("Said, even blank: a search, best first"),
    scope: z.enum(searchScopes).optional().describe("Where to search; needs q"),
    sourceType: z.enum(sessionSources).optional(),
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
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  cli: "fettle cloud projects servers remove",
  built: true,
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
  errors: ["VALIDATION_ERROR"],
  query: pageQuery(limits.page.eval).extend({
    projectId: idOf<"project">(),
    sourceTypes: z
      .string()
      .transform((text) => text.split(",").map((word) => word.trim()))
      .pipe(z.array(z.enum(["eval", "chat", "swarm", "user-testing"])))
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
