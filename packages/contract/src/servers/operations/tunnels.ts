/** @module Operations of the Tunnels tag: a public address for a local server. */
import { access, operation } from "../../core/operation.ts";
import { TunnelClosed, TunnelCreateRequest, TunnelGrant } from "../tunnels/tunnel.ts";

const tag = "Tunnels";

export const createTunnel = operation({
  id: "createTunnel",
  tag,
  method: "POST",
  path: "/projects/{projectId}/tunnels",
  access: access.project.read,
  summary: "Open a tunnel to a local server under a fresh secret",
  description:
    "Reserves a public address for a server on the caller's machine. Connect a WebSocket to `relayWsUrl` with `connectToken`; `fettle cloud tunnel` does both. Opening it again changes the secret and the old address stops working.",
  effect: "person",
  cli: "fettle cloud tunnel",
  built: true,
  status: 201,
  idempotent: true,
  body: TunnelCreateRequest,
  output: TunnelGrant,
  errors: ["VALIDATION_ERROR"],
});

export const closeTunnel = operation({
  id: "closeTunnel",
  tag,
  method: "POST",
  path: "/projects/{projectId}/tunnels/{serverId}/close",
  access: access.project.read,
  summary: "Close a tunnel; its address dies at once",
  description: "Closes a tunnel. Its address stops working at once.",
  effect: "remove",
  cli: "fettle cloud tunnel",
  built: true,
  output: TunnelClosed,
});
