/** @module Asking a saved server in front of a person: heard while it works, its own questions answered, cancelled on the wire. */
import { z } from "zod";
import { access, operation } from "../../../core/operation.ts";
import {
  ServerAnswerRequest,
  ServerAskRequest,
  ServerSample,
  ServerSampleRequest,
} from "../../server-ask.ts";

const tag = "App server asks";
const surface = "app";

export const streamServerAsk = operation({
  id: "streamServerAsk",
  tag,
  surface,
  method: "POST",
  path: "/projects/{projectId}/servers/{serverId}/asks",
  access: access.project.read,
  summary: "Ask a saved server and hear messages, progress and its own questions until it answers",
  raw: true,
  built: true,
  exactNumbers: true,
  body: ServerAskRequest,
  errors: ["VALIDATION_ERROR", "FEATURE_NOT_SUPPORTED"],
});

export const answerServer = operation({
  id: "answerServer",
  tag,
  surface,
  method: "POST",
  path: "/projects/{projectId}/servers/{serverId}/asks/{askId}/answers",
  access: access.project.read,
  summary: "Answer what a server asks while it works; whether it still waited is told in the stream",
  built: true,
  exactNumbers: true,
  body: ServerAnswerRequest,
  output: z.object({ askId: z.string() }),
  errors: ["VALIDATION_ERROR"],
});

export const cancelServerAsk = operation({
  id: "cancelServerAsk",
  tag,
  surface,
  method: "POST",
  path: "/projects/{projectId}/servers/{serverId}/asks/{askId}/cancel",
  access: access.project.read,
  summary: "Cancel a question to a server, on the wire too; what became of it is told in the stream",
  built: true,
  output: z.object({ askId: z.string() }),
});

export const sampleForServer = operation({
  id: "sampleForServer",
  tag,
  surface,
  method: "POST",
  path: "/projects/{projectId}/servers/{serverId}/samples",
  access: access.project.read,
  summary: "Have a model answer what a server asks of one; the person sends it on, or does not",
  built: true,
  idempotent: true,
  spends: true,
  body: ServerSampleRequest,
  output: ServerSample,
  errors: ["VALIDATION_ERROR", "CONFLICT", "FEATURE_NOT_SUPPORTED", "SERVER_UNREACHABLE", "TIMEOUT"],
});
