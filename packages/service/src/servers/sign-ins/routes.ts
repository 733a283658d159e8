/** @module Binds the operations of watched sign-ins. */

import { type Bindings, bindResource } from "../../core/routing/bind.ts";
import { originOf } from "../../people/accounts/origin.ts";
import { finishAuthorization } from "../connections/authorization.ts";
import { theServer } from "../saved/routes.ts";
import { finishSignIn, readSignIn, walkSignIn } from "./sign-in.ts";

export const serverSignInBindings = {
  getServerSignIn: bindResource(theServer, ({ app, caller }, server) =>
    readSignIn(app, server, caller.userId),
  ),
  walkServerSignIn: bindResource(theServer, ({ app, caller, request, body }, server) =>
    walkSignIn(app, { server, userId: caller.userId, origin: originOf(app.config, request.headers) }, body),
  ),
  // Both kinds of sign-in come back by one address; whose the state is decides.
  finishConnectionAuthorization: async ({ app, caller, body }) => {
    const server = await finishSignIn(app, caller.userId, body);
    return server ? { server } : finishAuthorization(app, caller.userId, body);
  },
} satisfies Partial<Bindings>;
