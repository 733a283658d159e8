/** @module Compatibility of a saved server with AI hosts, for its page; the terminal judges by the same rules. */
import { access, operation } from "../../operation.ts";
import { ServerCompat } from "../../resources/server-compat.ts";

export const checkServerCompat = operation({
  id: "checkServerCompat",
  tag: "App servers",
  surface: "app",
  method: "POST",
  path: "/projects/{projectId}/servers/{serverId}/compat",
  access: access.project.read,
  summary: "Tell on which AI hosts a saved server works; no tool is called",
  cli: "fettle compat",
  built: true,
  output: ServerCompat,
  errors: [
    "OAUTH_REQUIRED",
    "VALIDATION_ERROR",
    "SERVER_UNREACHABLE",
    "MCP_ERROR",
    "INVALID_ANSWER",
    "TIMEOUT",
  ],
});
