/** @module What pages ask about a server besides its own pages: what it is called before it is saved, and on which AI hosts it works. */
import { access, operation, serverErrors } from "../../../core/operation.ts";
import { ServerLook, ServerLookRequest } from "../../server.ts";
import { ServerCompat } from "../../server-compat.ts";

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
  errors: ["OAUTH_REQUIRED", "VALIDATION_ERROR", ...serverErrors],
});

export const lookAtServer = operation({
  id: "lookAtServer",
  tag: "App servers",
  surface: "app",
  method: "POST",
  path: "/projects/{projectId}/servers/look",
  access: access.project.read,
  summary: "What a server calls itself, before it is saved; nothing is called and nothing kept",
  cli: "fettle server info",
  built: true,
  body: ServerLookRequest,
  output: ServerLook,
  errors: ["VALIDATION_ERROR"],
});
