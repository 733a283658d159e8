/** @module Operations of the Execution tag: call a saved server's tools, render its prompts. */
import { access, operation, serverErrors } from "../../core/operation.ts";
import { CallToolRequest, CallToolResult, GetPromptRequest, GetPromptResult, LiveQuery } from "../mcp.ts";

const tag = "Execution";

export const callTool = operation({
  id: "callTool",
  tag,
  method: "POST",
  path: "/projects/{projectId}/servers/{serverId}/tools/call",
  access: access.project.read,
  summary: "Call a tool of a saved server",
  description:
    "Calls a tool with `parameters` and answers its result. `isError` says that the tool itself reported a failure; a server that fails to answer is a 502. `durationMs` is the call alone.",
  effect: "outside",
  errors: ["OAUTH_REQUIRED", "VALIDATION_ERROR", "FEATURE_NOT_SUPPORTED", ...serverErrors],
  built: true,
  exactNumbers: true,
  query: LiveQuery,
  body: CallToolRequest,
  output: CallToolResult,
});

export const getPrompt = operation({
  id: "getPrompt",
  tag,
  method: "POST",
  path: "/projects/{projectId}/servers/{serverId}/prompts/get",
  access: access.project.read,
  summary: "Render a prompt of a saved server",
  description: "Renders a prompt with its arguments and answers the messages.",
  effect: "outside",
  errors: ["OAUTH_REQUIRED", "VALIDATION_ERROR", "FEATURE_NOT_SUPPORTED", ...serverErrors],
  built: true,
  query: LiveQuery,
  body: GetPromptRequest,
  output: GetPromptResult,
});
