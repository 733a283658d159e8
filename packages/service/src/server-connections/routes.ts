/** @module Binds the operations of connection requests, and the two routes that authorization servers know. */
import type { ServerConnectionId } from "@fettle/contract";
import { originOf } from "../accounts/origin.ts";
import { type Bindings, bindResource, type Call } from "../http/bind.ts";
import type { RawRoute } from "../http/raw-route.ts";
import { finishAuthorization, startAuthorization } from "./authorization.ts";
import { callbackRoute } from "./callback-page.ts";
import { chooseProject, readLink, toConsent } from "./consent.ts";
import { clientDocumentRoute } from "./oauth-client.ts";
import * as requests from "./requests.ts";

const theRequest = ({
  app,
  caller,
  params,
}: Pick<Call<never>, "app"> & {
  caller: Parameters<typeof requests.requireRequest>[1];
  params: { requestId: ServerConnectionId };
}) => requests.requireRequest(app, caller, params.requestId);

export const serverConnectionBindings = {
  listServerConnections: ({ app, caller, query }) => requests.listRequests(app, caller, query),
  createServerConnection: ({ app, caller, body, request }) =>
    requests.createRequest(app, caller, body, originOf(app.config, request.headers)),
  getServerConnection: bindResource(theRequest, (_call, row) => requests.toConnection(row)),
  cancelServerConnection: bindResource(theRequest, ({ app }, row) => requests.cancelRequest(app, row)),
  retryServerConnectionValidation: bindResource(theRequest, ({ app }, row) =>
    requests.retryValidation(app, row),
  ),

  readConnectionLink: ({ app, body }) => readLink(app, body.token),
  getConnectionConsent: bindResource(theRequest, ({ app }, row) => toConsent(app, row)),
  chooseConnectionProject: bindResource(theRequest, ({ app, body }, row) => chooseProject(app, row, body)),
  authorizeConnection: bindResource(theRequest, ({ app, request }, row) =>
    startAuthorization(app, row, originOf(app.config, request.headers)),
  ),
  finishConnectionAuthorization: ({ app, caller, body }) => finishAuthorization(app, caller.userId, body),
} satisfies Partial<Bindings>;

export const serverConnectionRoutes: RawRoute[] = [callbackRoute, clientDocumentRoute];
