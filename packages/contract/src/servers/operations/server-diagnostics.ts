/** @module Operations of the Server diagnostics tag: is a saved server well, and what does it ask for. */
import { access, operation, serverErrors } from "../../core/operation.ts";
import { CheckOAuthResult, DoctorReport, LiveQuery, ValidateResult } from "../mcp.ts";

const tag = "Server diagnostics";

export const validateServer = operation({
  id: "validateServer",
  tag,
  method: "POST",
  path: "/projects/{projectId}/servers/{serverId}/validate",
  access: access.project.read,
  summary: "Connect to a saved server and initialize",
  description: "Connects and initializes once. A server that cannot be reached is a 502 with the reason.",
  effect: "ask",
  errors: ["OAUTH_REQUIRED", "VALIDATION_ERROR", ...serverErrors],
  built: true,
  query: LiveQuery,
  output: ValidateResult,
});

export const runDoctor = operation({
  id: "runDoctor",
  tag,
  method: "POST",
  path: "/projects/{projectId}/servers/{serverId}/doctor",
  access: access.project.read,
  summary: "Examine a saved server step by step and report what is wrong",
  description:
    "Examines a server step by step (reach, sign-in, initialize, lists) and says what is wrong and what to do next. The report is the answer whatever it found, so a broken server is a 200.",
  effect: "ask",
  errors: ["VALIDATION_ERROR", ...serverErrors],
  built: true,
  query: LiveQuery,
  output: DoctorReport,
});

export const checkOAuth = operation({
  id: "checkOAuth",
  tag,
  method: "POST",
  path: "/projects/{projectId}/servers/{serverId}/check-oauth",
  access: access.project.read,
  summary: "Whether a saved server asks for OAuth, without connecting",
  description: "Tells from the saved configuration whether the server uses OAuth. Does not connect.",
  effect: "ask",
  errors: ["VALIDATION_ERROR"],
  built: true,
  output: CheckOAuthResult,
});
