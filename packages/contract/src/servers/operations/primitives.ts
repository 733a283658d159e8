/** @module Operations of the Primitives tag: a saved server's tools, prompts and resources, live. */
import { access, operation, serverErrors } from "../../core/operation.ts";
import {
  LiveListRequest,
  LiveQuery,
  livePage,
  McpPrompt,
  McpResource,
  McpResourceTemplate,
  McpTool,
  ReadResourceRequest,
  ResourceContents,
} from "../mcp.ts";

const tag = "Primitives";

export const listResourceTemplates = operation({
  id: "listResourceTemplates",
  tag,
  method: "POST",
  path: "/projects/{projectId}/servers/{serverId}/resources/templates",
  access: access.project.read,
  summary: "List a server's resource templates, live",
  description:
    "Asks the server for its resource templates now. `nextCursor` is the server's own: send it back as `cursor`.",
  effect: "ask",
  errors: ["OAUTH_REQUIRED", "VALIDATION_ERROR", "FEATURE_NOT_SUPPORTED", ...serverErrors],
  built: true,
  query: LiveQuery,
  body: LiveListRequest,
  output: livePage(McpResourceTemplate),
});

export const listTools = operation({
  id: "listTools",
  tag,
  method: "POST",
  path: "/projects/{projectId}/servers/{serverId}/tools",
  access: access.project.read,
  summary: "List a server's tools, live",
  description:
    "Asks the server for its tools now, with their input schemas. `nextCursor` is the server's own: send it back as `cursor`. Tools that are no valid tools are left out and counted in `malformed`.",
  effect: "ask",
  errors: ["OAUTH_REQUIRED", "VALIDATION_ERROR", "FEATURE_NOT_SUPPORTED", ...serverErrors],
  built: true,
  query: LiveQuery,
  body: LiveListRequest,
  output: livePage(McpTool),
});

export const listPrompts = operation({
  id: "listPrompts",
  tag,
  method: "POST",
  path: "/projects/{projectId}/servers/{serverId}/prompts",
  access: access.project.read,
  summary: "List a server's prompts, live",
  description:
    "Asks the server for its prompts now. `nextCursor` is the server's own: send it back as `cursor`. `rpc=1` adds the messages that were exchanged.",
  effect: "ask",
  errors: ["OAUTH_REQUIRED", "VALIDATION_ERROR", "FEATURE_NOT_SUPPORTED", ...serverErrors],
  built: true,
  query: LiveQuery,
  body: LiveListRequest,
  output: livePage(McpPrompt),
});

export const listResources = operation({
  id: "listResources",
  tag,
  method: "POST",
  path: "/projects/{projectId}/servers/{serverId}/resources",
  access: access.project.read,
  summary: "List a server's resources, live",
  description:
    "Asks the server for its resources now. `nextCursor` is the server's own: send it back as `cursor`.",
  effect: "ask",
  errors: ["OAUTH_REQUIRED", "VALIDATION_ERROR", "FEATURE_NOT_SUPPORTED", ...serverErrors],
  built: true,
  query: LiveQuery,
  body: LiveListRequest,
  output: livePage(McpResource),
});

export const readResource = operation({
  id: "readResource",
  tag,
  method: "POST",
  path: "/projects/{projectId}/servers/{serverId}/resources/read",
  access: access.project.read,
  summary: "Read one resource of a server, live",
  description: "Reads one resource by its URI. Contents come as the server sent them, as text or base64.",
  effect: "outside",
  errors: ["OAUTH_REQUIRED", "VALIDATION_ERROR", "FEATURE_NOT_SUPPORTED", ...serverErrors],
  built: true,
  query: LiveQuery,
  body: ReadResourceRequest,
  output: ResourceContents,
});
