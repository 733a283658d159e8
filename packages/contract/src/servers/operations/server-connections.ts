/** @module Operations of the Server connections tag: a server by its address, through consent, into a project. */
import { z } from "zod";
import { limits } from "../../core/limits/limits.ts";
import { access, operation } from "../../core/operation.ts";
import { page } from "../../core/page.ts";
import { ServerConnection, ServerConnectionCreateBody } from "../server-connection.ts";

const tag = "Server connections";

export const listServerConnections = operation({
  id: "listServerConnections",
  tag,
  method: "GET",
  path: "/server-connections",
  access: access.any,
  elevated: "the caller's own requests only",
  summary: "List the caller's own connection requests, newest first",
  description: "Lists the caller's connection requests. Those that have ended are listed with `status=all`.",
  built: true,
  query: z.strictObject({
    status: z.enum(["open", "all"]).default("open"),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(limits.connections.listed.max)
      .default(limits.connections.listed.fallback),
  }),
  output: page(ServerConnection),
});

export const createServerConnection = operation({
  id: "createServerConnection",
  tag,
  method: "POST",
  path: "/server-connections",
  access: access.any,
  elevated: "member of the project the body names",
  summary: "Ask to connect a server by its address",
  description:
    "Starts bringing a server into a project by its address. `handoffUrl` is for a person to sign in and agree; the request ends when the server is saved.",
  effect: "person",
  cli: "fettle cloud projects servers connect",
  built: true,
  status: 201,
  idempotent: "claimed",
  body: ServerConnectionCreateBody,
  output: ServerConnection,
  errors: ["VALIDATION_ERROR", "CONFLICT", "FEATURE_NOT_SUPPORTED"],
});

export const getServerConnection = operation({
  id: "getServerConnection",
  tag,
  method: "GET",
  path: "/server-connections/{requestId}",
  access: access.owner,
  summary: "How far a connection request has come",
  description: "Reads how far a connection request has come. Poll it until the status is final.",
  cli: "fettle cloud projects servers connect-status",
  built: true,
  output: ServerConnection,
});

export const cancelServerConnection = operation({
  id: "cancelServerConnection",
  tag,
  method: "POST",
  path: "/server-connections/{requestId}/cancel",
  access: access.owner,
  summary: "Cancel a connection request and its link",
  description: "Ends a connection request and its link. Canceling it again answers the same.",
  effect: "cancel",
  cli: "fettle cloud projects servers connect-cancel",
  built: true,
  output: ServerConnection,
});

export const retryServerConnectionValidation = operation({
  id: "retryServerConnectionValidation",
  tag,
  method: "POST",
  path: "/server-connections/{requestId}/retry-validation",
  access: access.owner,
  summary: "Try the validation of a connection request again now",
  description:
    "Has a request whose server did not answer try again at once. In any other state the answer is 409 with `details.status`.",
  effect: "person",
  built: true,
  output: ServerConnection,
  errors: ["CONFLICT"],
});
