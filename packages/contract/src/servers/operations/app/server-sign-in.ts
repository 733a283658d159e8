/** @module Signing in to a saved server step by step, in front of the person who signs in. */
import { access, operation } from "../../../core/operation.ts";
import { ServerSignInAnswer, ServerSignInWalk } from "../../server-sign-in.ts";

const tag = "App server sign-ins";
const surface = "app";

export const getServerSignIn = operation({
  id: "getServerSignIn",
  tag,
  surface,
  method: "GET",
  path: "/projects/{projectId}/servers/{serverId}/sign-in",
  access: access.project.read,
  summary: "The caller's own watched sign-in to a saved server: how far it is, or how the last one went",
  built: true,
  output: ServerSignInAnswer,
});

export const walkServerSignIn = operation({
  id: "walkServerSignIn",
  tag,
  surface,
  method: "POST",
  path: "/projects/{projectId}/servers/{serverId}/sign-in",
  access: access.project.read,
  summary: "Begin a watched sign-in or take it further, by one stage or as far as it goes",
  cli: "fettle oauth login",
  built: true,
  body: ServerSignInWalk,
  output: ServerSignInAnswer,
  errors: ["VALIDATION_ERROR", "CONFLICT", "FEATURE_NOT_SUPPORTED"],
});
