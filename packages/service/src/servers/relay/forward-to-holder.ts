/** @module Passing a request on to the process of this service that holds the tunnel's socket, by that process's own public route. */
import { ApiError, limits } from "@fettle/contract/core";
import { createHttpClient, isMcpError } from "@fettle/mcp";
import { publicPath, relayedHeader } from "./address.ts";
import { tooLarge, tunnelDown } from "./failure.ts";
import type { RelayAnswer, RelayRequest } from "./relay-session.ts";

export interface Elsewhere {
  forward(holderUrl: string, slug: string, secret: string, request: RelayRequest): Promise<RelayAnswer>;
  close(): void;
}

/** The holder's address is written by our own processes, so it may be on this machine or network. */
export function createForwardToHolder(): Elsewhere {
  const client = createHttpClient({
    policy: { mode: "local", exceptions: [] },
    timeouts: { connectMs: 3_000, firstByteMs: 125_000, idleMs: Number.POSITIVE_INFINITY },
    maxBodyBytes: Number.POSITIVE_INFINITY,
  });
  return {
    async forward(holderUrl, slug, secret, request) {
      const address = new URL(holderUrl + publicPath(slug, secret));
      for (const [name, value] of new URLSearchParams(request.url.slice(1))) {
        address.searchParams.append(name, value);
      }
      const body = request.body && (await collect(request.body));
      try {
        const response = await client.request({
          method: request.method,
          url: address,
          headers: { ...Object.fromEntries(request.headers), [relayedHeader]: "1" },
          ...(body && { body }),
          signal: request.signal,
          redirect: "manual",
          timeouts: { totalMs: Number.POSITIVE_INFINITY },
        });
        return { status: response.status, headers: Object.entries(response.headers), body: response.body };
      } catch (error) {
        if (!isMcpError(error)) throw error;
        // A process that is gone takes its sockets along.
        throw error.code === "TIMEOUT"
          ? new ApiError("TIMEOUT", "The server behind the tunnel did not answer in time.")
          : tunnelDown();
      }
    },
    close: () => client.close(),
  };
}

async function collect(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > limits.tunnels.requestBytes) throw tooLarge(limits.tunnels.requestBytes);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
