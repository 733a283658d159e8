/** @module Binds the operations that talk to a saved server while the caller waits. */
import { type Bindings, bindResource } from "../http/bind.ts";
import { maskUrl, openEndpoint } from "../servers/endpoint.ts";
import { theServer } from "../servers/routes.ts";
import { importTokens } from "./credentials.ts";
import { callTool, exportServer, getPrompt, listPage, readResource, runDoctor, validate } from "./live.ts";

export const liveBindings = {
  validateServer: bindResource(theServer, validate),
  runDoctor: bindResource(theServer, runDoctor),
  checkOAuth: bindResource(theServer, ({ app }, server) => {
    const { url } = openEndpoint(app.vault, server);
    return {
      useOAuth: server.settings.useOAuth ?? false,
      serverUrl: url === undefined ? null : maskUrl(url),
    };
  }),
  listTools: bindResource(theServer, (call, server) => listPage(call, server, "listTools", call.body.cursor)),
  listPrompts: bindResource(theServer, (call, server) =>
    listPage(call, server, "listPrompts", call.body.cursor),
  ),
  listResources: bindResource(theServer, (call, server) =>
    listPage(call, server, "listResources", call.body.cursor),
  ),
  listResourceTemplates: bindResource(theServer, (call, server) =>
    listPage(call, server, "listResourceTemplates", call.body.cursor),
  ),
  readResource: bindResource(theServer, (call, server) => readResource(call, server, call.body.uri)),
  exportServer: bindResource(theServer, exportServer),
  callTool: bindResource(theServer, (call, server) => callTool(call, server, call.body)),
  getPrompt: bindResource(theServer, (call, server) => getPrompt(call, server, call.body)),
  importOAuthTokens: bindResource(theServer, ({ app, db, caller, body }, server) =>
    importTokens(app, db, server, caller.userId, body),
  ),
} satisfies Partial<Bindings>;
