/** @module Binds the operations that talk to a saved server while the caller waits. */
import { maskUrl, type ProjectId, type ServerId, type UserId } from "@fettle/contract";
import { type Bindings, bindResource, type Call } from "../http/bind.ts";
import { openEndpoint } from "../servers/endpoint.ts";
import { theServer } from "../servers/routes.ts";
import { checkCompat } from "./compat.ts";
import { importTokens } from "./credentials.ts";
import { callTool, exportServer, getPrompt, listPage, readResource, runDoctor, validate } from "./live.ts";
import { findSavedServer } from "./store.ts";

/** The saved server a path names, if it is in the path's project, as the caller reaches it. */
const theSaved = ({
  app,
  caller,
  project,
  params,
}: Pick<Call<never>, "app"> & {
  caller: { userId: UserId };
  project: { id: ProjectId };
  params: { serverId: ServerId };
}) => findSavedServer(app.db, { projectId: project.id, id: params.serverId, userId: caller.userId });

export const liveBindings = {
  validateServer: bindResource(theSaved, validate),
  runDoctor: bindResource(theSaved, runDoctor),
  checkServerCompat: bindResource(theSaved, checkCompat),
  checkOAuth: bindResource(theServer, ({ app }, server) => {
    const { url } = openEndpoint(app.vault, server);
    return {
      useOAuth: server.settings.useOAuth ?? false,
      serverUrl: url === undefined ? null : maskUrl(url),
    };
  }),
  listTools: bindResource(theSaved, (call, server) => listPage(call, server, "listTools", call.body.cursor)),
  listPrompts: bindResource(theSaved, (call, server) =>
    listPage(call, server, "listPrompts", call.body.cursor),
  ),
  listResources: bindResource(theSaved, (call, server) =>
    listPage(call, server, "listResources", call.body.cursor),
  ),
  listResourceTemplates: bindResource(theSaved, (call, server) =>
    listPage(call, server, "listResourceTemplates", call.body.cursor),
  ),
  readResource: bindResource(theSaved, (call, server) => readResource(call, server, call.body.uri)),
  exportServer: bindResource(theSaved, exportServer),
  callTool: bindResource(theSaved, (call, server) => callTool(call, server, call.body)),
  getPrompt: bindResource(theSaved, (call, server) => getPrompt(call, server, call.body)),
  importOAuthTokens: bindResource(theServer, ({ app, db, caller, body }, server) =>
    importTokens(app, db, server, caller.userId, body),
  ),
} satisfies Partial<Bindings>;
