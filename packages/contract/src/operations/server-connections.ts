/** @module Operations of the Server connections tag: a server by its address, through consent, into a project. */
import { access, operation } from "../operation.ts";

const tag = "Server connections";

export const listServerConnections = operation({
  id: "listServerConnections",
  tag,
  method: "GET",
  path: "/server-connections",
  access: access.any,
  elevated: "the caller's own requests only",
  summary: "List the caller's own connection requests",
});

export const createServerConnection = operation({
  id: "createServerConnection",
  tag,
  method: "POST",
  path: "/server-connections",
  access: access.any,
  elevated: "member of the project the body names",
  summary: "Ask to connect a server by its address",
  status: 201,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});

export const getServerConnection = operation({
  id: "getServerConnection",
  tag,
  method: "GET",
  path: "/server-connections/{requestId}",
  access: access.owner,
  summary: "How far a connection request has come",
});

export const cancelServerConnection = operation({
  id: "cancelServerConnection",
  tag,
  method: "POST",
  path: "/server-connections/{requestId}/cancel",
  access: access.owner,
  summary: "Cancel a connection request and its link",
});

export const retryServerConnectionValidation = operation({
  id: "retryServerConnectionValidation",
  tag,
  method: "POST",
  path: "/server-connections/{requestId}/retry-validation",
  access: access.owner,
  summary: "Try the validation of a connection request again now",
  errors: ["CONFLICT"],
});
