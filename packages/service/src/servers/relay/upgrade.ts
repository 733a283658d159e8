/** @module Letting holders of tunnels in: the WebSocket at `/tunnel-relay`, with the grant's token as its bearer. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { limits } from "@fettle/contract/core";
import { chosenTunnelProtocol } from "@fettle/contract/servers";
import { WebSocketServer } from "ws";
import type { App } from "../../core/app.ts";
import { outageOf } from "../../core/db/outage.ts";
import { bearerOf } from "../../http/caller/identify.ts";
import { isOurHost, originsOf } from "../../http/same-origin.ts";
import { hashToken, recogniseToken } from "../../people/accounts/tokens.ts";
import { relayPath } from "./address.ts";

export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** What a listening server does with a request to change the protocol. */
export function createUpgrade(app: App): Upgrade {
  const { config, relay, log } = app;
  const origins = originsOf(config);
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    // The largest frame is a chunk, or the headers of one answer.
    maxPayload: limits.tunnels.chunkBytes + limits.tunnels.headerBytes,
    handleProtocols: (offered) => chosenTunnelProtocol(offered) ?? false,
  });
  return (request, socket, head) => {
    socket.on("error", () => socket.destroy());
    const { host, origin } = request.headers;
    // Command lines send no `Origin`; a page that does is not a host of ours.
    const isRefused = !isOurHost(host, origins) || origin !== undefined;
    const refusal = isRefused
      ? "403 Forbidden"
      : request.url !== relayPath
        ? "404 Not Found"
        : // A socket without what the host speaks would break at its first frame (RFC 6455, 4.2.2).
          isSpoken(request.headers["sec-websocket-protocol"])
          ? undefined
          : "400 Bad Request";
    if (refusal) {
      // Destroyed once it is said: nobody else closes a socket that was taken out of the server's hands.
      socket.end(`HTTP/1.1 ${refusal}\r\nconnection: close\r\n\r\n`, () => socket.destroy());
      return;
    }
    const token = bearerOf(request.headers) ?? "";
    const hash = recogniseToken(token) === "tunnelConnect" ? hashToken(token) : undefined;
    server.handleUpgrade(request, socket, head, (ws) => {
      relay.admit(ws, hash).catch((error) => {
        log.error("a tunnel could not be admitted", { error });
        const outage = outageOf(error);
        // "Try again later", which hosts do by themselves; the words are for whoever watches one.
        if (outage) ws.close(1013, outage);
        else ws.close(1011);
      });
    });
  };
}

/** Whoever offers nothing speaks the latest of ours. */
const isSpoken = (offered: string | undefined): boolean =>
  offered === undefined || chosenTunnelProtocol(offered.split(",").map((name) => name.trim())) !== undefined;
