/** @module What the consent page of a connection request does for its owner: find it, choose a project, go to the authorization server and come back. */
import { z } from "zod";
import { idOf } from "../../../core/id-of.ts";
import { limits } from "../../../core/limits/limits.ts";
import { access, operation } from "../../../core/operation.ts";
import { ConnectionConsent } from "../../server-connection.ts";

const tag = "App server connections";
const surface = "app";

export const readConnectionLink = operation({
  id: "readConnectionLink",
  tag,
  surface,
  // A POST that changes nothing: the secret stays out of addresses, and so out of logs and histories.
  method: "POST",
  path: "/server-connections/read",
  access: access.public,
  elevated: "the secret of the link itself",
  summary: "Which request a private link is for, and whose",
  built: true,
  body: z.strictObject({ token: z.string().min(1).max(limits.accounts.tokenLength) }),
  output: z.object({ connectionRequestId: z.string(), account: z.object({ email: z.string() }) }),
});

export const getConnectionConsent = operation({
  id: "getConnectionConsent",
  tag,
  surface,
  method: "GET",
  path: "/server-connections/{requestId}",
  access: access.owner,
  summary: "A connection request as its consent page shows it",
  built: true,
  output: ConnectionConsent,
});

export const chooseConnectionProject = operation({
  id: "chooseConnectionProject",
  tag,
  surface,
  method: "POST",
  path: "/server-connections/{requestId}/project",
  access: access.owner,
  elevated: "member of the project the body names",
  summary: "Say which project the server goes into",
  built: true,
  body: z.strictObject({ projectId: idOf<"project">(), serverId: idOf<"server">().optional() }),
  output: ConnectionConsent,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});

export const authorizeConnection = operation({
  id: "authorizeConnection",
  tag,
  surface,
  method: "POST",
  path: "/server-connections/{requestId}/authorize",
  access: access.owner,
  summary: "Begin consent; the page then goes to the answered address",
  built: true,
  output: z.object({ url: z.string() }),
  errors: ["CONFLICT", "FEATURE_NOT_SUPPORTED", "SERVER_UNREACHABLE"],
});

export const finishConnectionAuthorization = operation({
  id: "finishConnectionAuthorization",
  tag,
  surface,
  method: "POST",
  path: "/server-connections/authorized",
  access: access.owner,
  elevated: "the single-use state of a consent that the same account began here",
  summary: "What the authorization server sent the browser back with",
  built: true,
  body: z.strictObject({
    state: z.string().min(1).max(limits.connections.stateLength),
    code: z.string().min(1).max(limits.connections.codeLength).optional(),
    iss: z.string().max(limits.text.addressLength).optional(),
    error: z.string().max(limits.connections.errorLength).optional(),
    error_description: z.string().max(limits.connections.errorDescriptionLength).optional(),
  }),
  output: z.object({
    connectionRequestId: z.string().optional(),
    server: z
      .object({ projectId: z.string(), serverId: z.string() })
      .optional()
      .describe("Of a watched sign-in: the server whose pages it goes on at"),
  }),
  errors: ["VALIDATION_ERROR", "CONFLICT", "SERVER_UNREACHABLE"],
});
