/** @module Binds the operations that talk to a saved server while the caller waits. */
import type { ServerId } from "@fettle/contract/core";
import { maskUrl } from "@fettle/contract/secrets";
import { type AskedBy, type Bindings, bindResource } from "../../core/routing/bind.ts";
import { readingAlong } from "../../core/routing/read-along.ts";
import { openEndpoint } from "../saved/endpoint.ts";
import { theServer } from "../saved/routes.ts";
import { ask } from "./ask.ts";
import { importTokens } from "./credentials.ts";
import { completed } from "./history-draft.ts";
import { oauthDraft } from "./kept-calls.ts";
import { findSavedServer, savedServerAlong } from "./store.ts";

/** The saved server a path names, if it is in the path's project, as the caller reaches it. */
export const theSaved = readingAlong(
  ({ app, caller, project, params }: AskedBy<{ serverId: ServerId }>) =>
    findSavedServer(app.db, { projectId: project.id, id: params.serverId, userId: caller.userId }),
  savedServerAlong,
);

export const liveBindings = {
  validateServer: bindResource(theSaved, (call, server) => ask(call, server, "validate")),
  runDoctor: bindResource(theSaved, (call, server) => ask(call, server, "runDoctor")),
  checkServerCompat: bindResource(theSaved, (call, server) => ask(call, server, "checkCompat")),
  checkOAuth: bindResource(theServer, async ({ app, caller, project }, server) => {
    const { url } = openEndpoint(app.vault, server);
    const useOAuth = server.settings.useOAuth ?? false;
    const about = { projectId: project.id, serverId: server.id, userId: caller.userId };
    await app.history.keep(about, completed(oauthDraft(useOAuth, app.now())));
    return { useOAuth, serverUrl: url === undefined ? null : maskUrl(url) };
  }),
  listTools: bindResource(theSaved, (call, server) => ask(call, server, "listTools", call.body)),
  listPrompts: bindResource(theSaved, (call, server) => ask(call, server, "listPrompts", call.body)),
  listResources: bindResource(theSaved, (call, server) => ask(call, server, "listResources", call.body)),
  listResourceTemplates: bindResource(theSaved, (call, server) =>
    ask(call, server, "listResourceTemplates", call.body),
  ),
  readResource: bindResource(theSaved, (call, server) => ask(call, server, "readResource", call.body)),
  exportServer: bindResource(theSaved, (call, server) => ask(call, server, "exportServer")),
  callTool: bindResource(theSaved, (call, server) => ask(call, server, "callTool", call.body)),
  getPrompt: bindResource(theSaved, (call, server) => ask(call, server, "getPrompt", call.body)),
  importOAuthTokens: bindResource(theServer, ({ app, db, caller, body }, server) =>
    importTokens(app, db, server, caller.userId, body),
  ),
} satisfies Partial<Bindings>;
