/** @module One socket to the relay: requests come in over it, are put to what stands behind the tunnel, and are answered. */
import { limits } from "@fettle/contract/core";
import {
  createTunnelCredit,
  createTunnelReading,
  decodeTunnelChunk,
  earlierTunnelProtocol,
  encodeTunnelChunk,
  inTunnelChunks,
  isAnswerStatus,
  parseTunnelFrame,
  type TunnelCredit,
  type TunnelFrame,
  type TunnelGrant,
  tunnelProtocol,
} from "@fettle/contract/servers";
import { type RawData, WebSocket } from "ws";
import { type ByteBudget, createByteBudget } from "./byte-budget.ts";
import { type Upstream, UpstreamFailure } from "./upstream.ts";

export interface RelaySocket {
  /** Resolves with the code it was closed with. */
  closed: Promise<number>;
  close(): void;
}

/** The relay closed the socket before it greeted us. */
export class RelayRefusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = "RelayRefusal";
    this.code = code;
  }
}

/** What happened to one request, for whoever watches. */
export interface ServedRequest {
  method: string;
  /** The JSON-RPC method and what it names, where the body says so. */
  asks: string | undefined;
  /** Undefined when no answer was given. */
  status: number | undefined;
  failure: string | undefined;
  durationMs: number;
}

export interface RelayOptions {
  upstream: Upstream;
  /** Sent along with the credential, for a deployment behind a proxy. */
  headers: Record<string, string>;
  onServed(served: ServedRequest): void;
}

interface Exchange {
  frame: TunnelFrame & { t: "req" };
  pieces: Uint8Array[];
  bytes: number;
  leaving: AbortController;
  /** For the answer's body. */
  credit: TunnelCredit;
  wasRead(bytes: number): void;
}

const { chunkBytes, inFlight, requestBytes, pingMs, missedPings } = limits.tunnels;
const greetingMs = 10_000;
const largestFrame = chunkBytes + limits.tunnels.headerBytes;
/** Of all request bodies under way, together. */
const heldBytes = 32 * 1024 * 1024;

/** Resolves when the relay has greeted us: from then on requests may come. */
export async function connectRelay(
  { relayWsUrl, connectToken }: Pick<TunnelGrant, "relayWsUrl" | "connectToken">,
  options: RelayOptions,
): Promise<RelaySocket> {
  const socket = new WebSocket(relayWsUrl, [tunnelProtocol, earlierTunnelProtocol], {
    headers: { ...options.headers, authorization: `Bearer ${connectToken}` },
    perMessageDeflate: false,
    maxPayload: largestFrame,
    handshakeTimeout: greetingMs,
    followRedirects: false,
  });
  const greeted = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<number>();
  const exchanges = new Map<number, Exchange>();
  const budget: ByteBudget = createByteBudget(heldBytes);
  /** Infinite towards a relay that gives no credit. */
  let window = Number.POSITIVE_INFINITY;
  let failure: Error | undefined;
  let missed = 0;
  const late = setTimeout(() => socket.terminate(), greetingMs);

  const beat = setInterval(() => {
    if (missed++ >= missedPings) socket.terminate();
    else if (socket.readyState === socket.OPEN) socket.ping();
  }, pingMs);
  socket.on("pong", () => {
    missed = 0;
  });
  socket.on("message", (data, isBinary) => {
    missed = 0;
    const understood = isBinary ? takeChunk(data) : takeFrame(data);
    if (!understood) socket.close(1002);
  });
  socket.on("error", (error) => {
    failure = error;
  });
  socket.on("close", (code, reason) => {
    clearTimeout(late);
    clearInterval(beat);
    for (const id of [...exchanges.keys()]) forget(id);
    const why = reason.length > 0 ? `${code}, ${reason.toString("utf8")}` : String(code);
    greeted.reject(new RelayRefusal(code, failure?.message ?? `The relay closed the connection (${why}).`));
    closed.resolve(code);
  });

  function send(frame: TunnelFrame): void {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame));
  }

  function takeFrame(data: RawData): boolean {
    const frame = parseTunnelFrame(data.toString());
    switch (frame?.t) {
      case "hello":
        clearTimeout(late);
        window = frame.limits.window ?? Number.POSITIVE_INFINITY;
        greeted.resolve();
        return true;
      case "req": {
        if (exchanges.size >= inFlight) {
          send({ t: "abort", id: frame.id, code: "overloaded" });
          return true;
        }
        const { id } = frame;
        const exchange: Exchange = {
          frame,
          pieces: [],
          bytes: 0,
          leaving: new AbortController(),
          credit: createTunnelCredit(window),
          wasRead: createTunnelReading(window, (bytes) => send({ t: "credit", id, bytes })),
        };
        exchanges.set(id, exchange);
        if (!frame.hasBody) void serve(exchange);
        return true;
      }
      case "req_end": {
        const exchange = exchanges.get(frame.id);
        if (exchange) void serve(exchange);
        return true;
      }
      case "credit":
        exchanges.get(frame.id)?.credit.give(frame.bytes);
        return true;
      case "abort":
        forget(frame.id);
        return true;
      default:
        return false;
    }
  }

  function takeChunk(data: RawData): boolean {
    // `ws` hands binary messages over as one Buffer unless told otherwise.
    const chunk = decodeTunnelChunk(data as Buffer);
    if (chunk?.kind !== "request") return false;
    const exchange = exchanges.get(chunk.id);
    if (!exchange) return true;
    const { length } = chunk.payload;
    const isTooLarge = exchange.bytes + length > requestBytes;
    if (isTooLarge || !budget.take(length)) {
      forget(chunk.id);
      send({ t: "abort", id: chunk.id, code: isTooLarge ? "too_large" : "overloaded" });
      return true;
    }
    exchange.bytes += length;
    exchange.pieces.push(chunk.payload);
    exchange.wasRead(length);
    return true;
  }

  /** Whoever asked has left, or nobody can be answered any more. */
  function forget(id: number): void {
    const exchange = exchanges.get(id);
    if (!exchange) return;
    exchanges.delete(id);
    budget.give(exchange.bytes);
    exchange.bytes = 0;
    exchange.credit.end();
    exchange.leaving.abort();
  }

  async function serve(exchange: Exchange): Promise<void> {
    const { frame, leaving } = exchange;
    const { id } = frame;
    const startedAt = performance.now();
    const body = Buffer.concat(exchange.pieces);
    exchange.pieces = [];
    const served = { method: frame.method, asks: asksFor(body) };
    const tell = (status: number | undefined, problem?: string) =>
      options.onServed({ ...served, status, failure: problem, durationMs: performance.now() - startedAt });
    try {
      const headers = Object.fromEntries(frame.headers.map(([name, value]) => [name.toLowerCase(), value]));
      const { method, url } = frame;
      const answer = await options.upstream.request({ method, url, headers, body, signal: leaving.signal });
      if (!isAnswerStatus(answer.status)) {
        const problem = `The server answered with the status ${answer.status}, which is none that ends a request.`;
        throw new UpstreamFailure("upstream_error", problem);
      }
      if (!leaving.signal.aborted) {
        send({ t: "res", id, status: answer.status, headers: answer.headers });
        tell(answer.status);
      }
      for await (const piece of answer.body) {
        for (const payload of inTunnelChunks(piece, Math.min(chunkBytes, window))) {
          // Waits for whoever asked to read what was sent before; nobody else's answer waits with it.
          if (!(await exchange.credit.take(payload.length))) return;
          const bytes = encodeTunnelChunk({ kind: "response", id, payload });
          // Waiting for each to be written keeps a slow relay from filling our memory.
          await new Promise<void>((resolve) => socket.send(bytes, () => resolve()));
        }
      }
      if (!leaving.signal.aborted) send({ t: "res_end", id });
    } catch (error) {
      if (leaving.signal.aborted) return;
      const message = error instanceof Error ? error.message : String(error);
      const code = error instanceof UpstreamFailure ? error.abort : "upstream_error";
      send({ t: "abort", id, code, msg: message.slice(0, 500) });
      tell(undefined, message);
    } finally {
      forget(id);
    }
  }

  await greeted.promise;
  return {
    closed: closed.promise,
    close: () => {
      socket.close(1000);
      // A relay that does not answer the goodbye is not waited for.
      setTimeout(() => socket.terminate(), 1_000).unref();
    },
  };
}

/** For the log only; a body that is long, or no message, is not looked into. */
function asksFor(body: Buffer): string | undefined {
  if (body.length === 0 || body.length > 256 * 1024) return undefined;
  try {
    const { method, params } = JSON.parse(body.toString("utf8")) as {
      method?: unknown;
      params?: { name?: unknown };
    };
    const name = typeof params?.name === "string" ? ` ${params.name}` : "";
    return typeof method === "string" ? `${method}${name}`.slice(0, 120) : undefined;
  } catch {
    return undefined;
  }
}
