/** @module The machine behind a tunnel, for tests of the relay: answers each request as the test says, frame by frame. */
import { limits } from "@fettle/contract/core";
import {
  decodeTunnelChunk,
  encodeTunnelChunk,
  inTunnelChunks,
  parseTunnelFrame,
  type TunnelFrame,
  type TunnelGrant,
  type TunnelProtocol,
  tunnelProtocol,
} from "@fettle/contract/servers";
import { WebSocket } from "ws";

export interface HostRequest {
  id: number;
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface TestHost {
  /** Frames that are no request, as they came. */
  heard: TunnelFrame[];
  requests: HostRequest[];
  send(frame: TunnelFrame): void;
  chunk(id: number, text: string): void;
  /** Resolves with the code the relay closed it with. */
  closed: Promise<number>;
  close(): void;
}

export async function connectHost(
  grant: Pick<TunnelGrant, "relayWsUrl" | "connectToken">,
  answer: (request: HostRequest, host: TestHost) => void,
  protocol: TunnelProtocol = tunnelProtocol,
): Promise<TestHost> {
  const socket = new WebSocket(grant.relayWsUrl, protocol, {
    headers: { authorization: `Bearer ${grant.connectToken}` },
  });
  const closed = Promise.withResolvers<number>();
  const hello = Promise.withResolvers<void>();
  const pending = new Map<number, HostRequest>();
  const host: TestHost = {
    heard: [],
    requests: [],
    send: (frame) => socket.send(JSON.stringify(frame)),
    chunk: (id, text) => {
      for (const payload of inTunnelChunks(new TextEncoder().encode(text), limits.tunnels.chunkBytes)) {
        socket.send(encodeTunnelChunk({ kind: "response", id, payload }));
      }
    },
    closed: closed.promise,
    close: () => socket.close(),
  };
  const take = (request: HostRequest) => {
    pending.delete(request.id);
    host.requests.push(request);
    answer(request, host);
  };
  socket.on("message", (data, isBinary) => {
    if (isBinary) {
      const { id, payload } = decodeTunnelChunk(data as Buffer)!;
      pending.get(id)!.body += Buffer.from(payload).toString();
      if (protocol === tunnelProtocol) host.send({ t: "credit", id, bytes: payload.length });
      return;
    }
    const frame = parseTunnelFrame(data.toString())!;
    if (frame.t === "req") {
      const { id, method, url, headers } = frame;
      const request = { id, method, url, headers: Object.fromEntries(headers), body: "" };
      pending.set(id, request);
      if (!frame.hasBody) take(request);
    } else if (frame.t === "req_end") take(pending.get(frame.id)!);
    else host.heard.push(frame);
    if (frame.t === "hello") hello.resolve();
  });
  socket.on("close", (code) => {
    closed.resolve(code);
    hello.reject(new Error(`the relay closed the socket with ${code}`));
  });
  socket.on("error", () => {});
  await hello.promise;
  return host;
}

/** Answers every request with the same JSON. */
export const answerJson = (value: unknown) => (request: HostRequest, host: TestHost) => {
  host.send({ t: "res", id: request.id, status: 200, headers: [["content-type", "application/json"]] });
  host.chunk(request.id, JSON.stringify(value));
  host.send({ t: "res_end", id: request.id });
};
