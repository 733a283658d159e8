/** @module Binds the operations of connection requests, and the two routes that authorization servers know. */
import type { ServerConnectionId } from "@fettle/contract/core";
import { type Bindings, bindResource, type Call } from "../../core/routing/bind.ts";
import type { RawRoute } from "../../core/routing/raw-route.ts";
import { originOf } from "../../people/accounts/origin.ts";
import { startAuthorization } from "./authorization.ts";
import { callbackRoute } from "./callback-page.ts";
import { chooseProject, readLink, toConsent } from "./consent.ts";
import { lookAtServer } from "./look.ts";
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

const originFor = ({ app, request }: Pick<Call<never>, "app" | "request">) =>
  originOf(app.config, request.headers);

export const serverConnectionBindings = {
  listServerConnections: (call) => requests.listRequests(call.app, call.caller, call.query, originFor(call)),
  createServerConnection: (call) => requests.createRequest(call.app, call.caller, call.body, originFor(call)),
  getServerConnection: bindResource(theRequest, (call, row) =>
    requests.toConnection(call.app, row, originFor(call)),
  ),
  cancelServerConnection: bindResource(theRequest, (call, row) =>
    requests.cancelRequest(call.app, row, originFor(call)),
  ),
  retryServerConnectionValidation: bindResource(theRequest, (call, row) =>
    requests.retryValidation(call.app, row, originFor(call)),
  ),

  lookAtServer: ({ app, project, body }) => lookAtServer(app, project.id, body),
  readConnectionLink: ({ app, body }) => readLink(app, body.token),
  getConnectionConsent: bindResource(theRequest, ({ app }, row) => toConsent(app, row)),
  chooseConnectionProject: bindResource(theRequest, ({ app, body }, row) => chooseProject(app, row, body)),
  authorizeConnection: bindResource(theRequest, (call, row) =>
    startAuthorization(call.app, row, originFor(call)),
  ),
} satisfies Partial<Bindings>;

export const serverConnectionRoutes: RawRoute[] = [callbackRoute, clientDocumentRoute];
