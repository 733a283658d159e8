/** @module One host's socket: many requests at once over it, each with its own answer, none of them able to fill our memory. */
import {
  decodeTunnelChunk,
  encodeTunnelChunk,
  inTunnelChunks,
  limits,
  parseTunnelFrame,
  type TunnelAbort,
  type TunnelFrame,
  type TunnelHeaders,
  tunnelProtocol,
} from "@fettle/contract";
import type { RawData, WebSocket } from "ws";
import { type ChunkQueue, createChunkQueue } from "./chunk-queue.ts";
import { aborted, tooLarge, tooManyInFlight, tunnelDown } from "./failure.ts";

export interface RelayRequest {
  method: string;
  url: string;
  headers: TunnelHeaders;
  body: AsyncIterable<Uint8Array> | undefined;
  signal: AbortSignal;
}

export interface RelayAnswer {
  status: number;
  headers: TunnelHeaders;
  /** Reads once. Whoever leaves before its end aborts the request's signal. */
  body: AsyncIterable<Uint8Array>;
}

interface Exchange {
  answer: PromiseWithResolvers<RelayAnswer>;
  queue: ChunkQueue;
  hasHead: boolean;
  late: NodeJS.Timeout;
  /** Runs while nobody reads what has come; then this request, and not the tunnel, gives way. */
  stalled: NodeJS.Timeout | undefined;
  /** Nobody's leaving or lateness matters any more. */
  release(): void;
}

/** The socket is held back above the first and let go below the second. */
const heldBytes = { most: 1024 * 1024, enough: 256 * 1024 };
const stallMs = 10_000;
const headMs = 120_000;
const { chunkBytes, inFlight, requestBytes, pingMs, missedPings } = limits.tunnels;

export interface RelaySession {
  readonly id: string;
  readonly serverId: string;
  request(request: RelayRequest): Promise<RelayAnswer>;
  /** Resolves when nothing is under way any more. */
  idle(): Promise<void>;
  /** Ends it with a word to the host; what is under way fails. */
  close(code: number): void;
}

export function createRelaySession(
  socket: WebSocket,
  { id, serverId, slug }: { id: string; serverId: string; slug: string },
  onClosed: () => void,
): RelaySession {
  const exchanges = new Map<number, Exchange>();
  const idlers = new Set<() => void>();
  let lastId = 0;
  let heardAt = performance.now();

  const heard = () => {
    heardAt = performance.now();
  };
  socket.on("ping", heard);
  socket.on("message", (data, isBinary) => {
    heard();
    const understood = isBinary ? takeChunk(data) : takeFrame(data);
    if (!understood) socket.close(1002);
  });
  socket.on("error", () => socket.terminate());
  socket.on("close", () => {
    clearInterval(watch);
    for (const number of [...exchanges.keys()]) settle(number, tunnelDown());
    onClosed();
  });
  // The host pings; one that has gone without a word is let go.
  const watch = setInterval(() => {
    const silentMs = performance.now() - heardAt;
    if (!socket.isPaused && silentMs > pingMs * (missedPings + 1)) socket.terminate();
  }, pingMs).unref();

  send({
    t: "hello",
    proto: tunnelProtocol,
    slug,
    limits: { maxReqBody: requestBytes, chunk: chunkBytes, maxInflight: inFlight },
  });

  function send(frame: TunnelFrame): void {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame));
  }

  function takeFrame(data: RawData): boolean {
    const frame = parseTunnelFrame(data.toString());
    if (!frame) return false;
    switch (frame.t) {
      case "res": {
        const exchange = exchanges.get(frame.id);
        if (!exchange || exchange.hasHead) return exchange === undefined;
        exchange.hasHead = true;
        clearTimeout(exchange.late);
        const { status, headers } = frame;
        exchange.answer.resolve({ status, headers, body: exchange.queue.body });
        return true;
      }
      case "res_end":
        settle(frame.id);
        return true;
      case "abort":
        settle(frame.id, aborted(frame.code));
        return true;
      default:
        return false;
    }
  }

  function takeChunk(data: RawData): boolean {
    // `ws` hands binary messages over as one Buffer unless told otherwise.
    const chunk = decodeTunnelChunk(data as Buffer);
    if (chunk?.kind !== "response") return false;
    const exchange = exchanges.get(chunk.id);
    if (!exchange) return true;
    if (!exchange.hasHead) return false;
    exchange.queue.push(chunk.payload);
    if (exchange.queue.bytes > heldBytes.most) {
      socket.pause();
      exchange.stalled ??= setTimeout(() => abort(chunk.id, "overloaded"), stallMs);
    }
    return true;
  }

  function letGo(exchange: Exchange): void {
    if (exchange.queue.bytes < heldBytes.enough) {
      clearTimeout(exchange.stalled);
      exchange.stalled = undefined;
    }
    const isFull = [...exchanges.values()].some(({ stalled }) => stalled !== undefined);
    if (!isFull && socket.isPaused) {
      heard();
      socket.resume();
    }
  }

  /** The request is over: its answer is whole, or it failed. */
  function settle(number: number, failure?: Error): void {
    const exchange = exchanges.get(number);
    if (!exchange) return;
    exchanges.delete(number);
    clearTimeout(exchange.stalled);
    exchange.stalled = undefined;
    exchange.release();
    if (failure || !exchange.hasHead) {
      const reason = failure ?? aborted("upstream_error");
      exchange.answer.reject(reason);
      exchange.queue.fail(reason);
    } else exchange.queue.end();
    letGo(exchange);
    if (exchanges.size === 0) for (const wake of idlers) wake();
  }

  function abort(number: number, code: TunnelAbort, failure: Error = aborted(code)): void {
    if (!exchanges.has(number)) return;
    send({ t: "abort", id: number, code });
    settle(number, failure);
  }

  async function sendBody(number: number, body: AsyncIterable<Uint8Array>): Promise<void> {
    let sent = 0;
    for await (const piece of body) {
      sent += piece.length;
      if (sent > requestBytes) return abort(number, "too_large", tooLarge(requestBytes));
      for (const payload of inTunnelChunks(piece, chunkBytes)) {
        if (!exchanges.has(number)) return;
        const bytes = encodeTunnelChunk({ kind: "request", id: number, payload });
        // Waiting for each to be written keeps a slow host from filling our memory.
        await new Promise<void>((resolve) => socket.send(bytes, () => resolve()));
      }
    }
    if (exchanges.has(number)) send({ t: "req_end", id: number });
  }

  return {
    id,
    serverId,
    async request({ method, url, headers, body, signal }) {
      if (socket.readyState !== socket.OPEN) throw tunnelDown();
      if (exchanges.size >= inFlight) throw tooManyInFlight(inFlight);
      signal.throwIfAborted();
      do lastId = (lastId + 1) >>> 0;
      while (exchanges.has(lastId));
      const number = lastId;
      const leave = () => abort(number, "client_gone");
      const exchange: Exchange = {
        answer: Promise.withResolvers(),
        queue: createChunkQueue(() => letGo(exchange)),
        hasHead: false,
        late: setTimeout(() => abort(number, "timeout"), headMs),
        stalled: undefined,
        release: () => {
          clearTimeout(exchange.late);
          signal.removeEventListener("abort", leave);
        },
      };
      exchanges.set(number, exchange);
      signal.addEventListener("abort", leave, { once: true });
      send({ t: "req", id: number, method, url, headers, hasBody: body !== undefined });
      if (body) sendBody(number, body).catch(leave);
      return exchange.answer.promise;
    },
    idle: () =>
      exchanges.size === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            const wake = () => {
              idlers.delete(wake);
              resolve();
            };
            idlers.add(wake);
          }),
    close(code) {
      socket.close(code);
      // A host that does not answer the close is not waited for.
      setTimeout(() => socket.terminate(), 2_000).unref();
      for (const number of [...exchanges.keys()]) settle(number, tunnelDown());
    },
  };
}
