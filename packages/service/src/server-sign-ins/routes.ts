/** @module Binds the operations of watched sign-ins. */
import { originOf } from "../accounts/origin.ts";
import { type Bindings, bindResource } from "../routing/bind.ts";
import { theServer } from "../servers/routes.ts";
import { readSignIn, walkSignIn } from "./sign-in.ts";

export const serverSignInBindings = {
  getServerSignIn: bindResource(theServer, ({ app, caller }, server) =>
    readSignIn(app, server, caller.userId),
  ),
  walkServerSignIn: bindResource(theServer, ({ app, caller, request, body }, server) =>
    walkSignIn(app, { server, userId: caller.userId, origin: originOf(app.config, request.headers) }, body),
  ),
} satisfies Partial<Bindings>;
