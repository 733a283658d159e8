/** @module Operations of the Export tag: a whole server in one document. */
import { access, operation, serverErrors } from "../../core/operation.ts";
import { ExportSnapshot } from "../mcp.ts";

const tag = "Export";

export const exportServer = operation({
  id: "exportServer",
  tag,
  method: "POST",
  path: "/projects/{projectId}/servers/{serverId}/export",
  access: access.project.read,
  summary: "Tools, resources and prompts of a server in one document",
  description: "Reads all tools, resources, templates and prompts of a server into one document.",
  effect: "person",
  errors: ["OAUTH_REQUIRED", "VALIDATION_ERROR", ...serverErrors],
  built: true,
  output: ExportSnapshot,
});
