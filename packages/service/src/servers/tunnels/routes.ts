/** @module Binds the operations of tunnels, and the public address they are reached by. */

import { type Bindings, bindResource } from "../../core/routing/bind.ts";
import type { RawRoute } from "../../core/routing/raw-route.ts";
import { originsOf } from "../../http/same-origin.ts";
import { originOf } from "../../people/accounts/origin.ts";
import { serveTunnelRequest } from "../relay/edge.ts";
import { theServer } from "../saved/routes.ts";
import { closeTunnel, listTunnels, openTunnel } from "./tunnels.ts";

export const tunnelBindings = {
  createTunnel: ({ app, db, caller, project, body, request }) =>
    openTunnel(
      app,
      db,
      {
        projectId: project.id,
        userId: caller.userId,
        credentialId: caller.kind === "key" ? caller.keyId : caller.sessionId,
      },
      body.name,
      originOf(app.config, request.headers),
    ),
  listTunnels: ({ app, project }) => listTunnels(app, project.id),
  closeTunnel: bindResource(theServer, ({ app }, server) => closeTunnel(app, server)),
} satisfies Partial<Bindings>;

export const tunnelRoutes: RawRoute[] = [
  {
    id: "tunnel",
    methods: ["GET", "POST", "DELETE"],
    path: "/tunnel/{slug}",
    policy: "own",
    body: "stream",
    why: "MCP through a tunnel, byte for byte. The secret in the address is the credential; what comes back cannot act on this origin.",
    handle: ({ app, request, reply }) => {
      reply.hijack();
      const { config, pool, log, relay } = app;
      const parts = { pool, log, forward: relay.forward, origins: originsOf(config) };
      return serveTunnelRequest(parts, request.raw, reply.raw, "public");
    },
  },
];
