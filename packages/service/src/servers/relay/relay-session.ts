/**
 * @module One host's socket: many requests at once over it, each with its own answer. The socket is always read; each body is held
 * back by credit of its own, so a slow reader holds up nobody else, and none can fill our memory.
 */
import { validateHeaderName, validateHeaderValue } from "node:http";
import { limits, type ServerId } from "@fettle/contract/core";
import {
  chosenTunnelProtocol,
  createTunnelCredit,
  createTunnelReading,
  decodeTunnelChunk,
  encodeTunnelChunk,
  inTunnelChunks,
  isAnswerStatus,
  parseTunnelFrame,
  type TunnelAbort,
  type TunnelCredit,
  type TunnelFrame,
  type TunnelHeaders,
  tunnelProtocol,
  tunnelServerPath,
} from "@fettle/contract/servers";
import type { RawData, WebSocket } from "ws";
import { type ChunkQueue, createChunkQueue } from "./chunk-queue.ts";
import { aborted, tooLarge, tooManyInFlight, tunnelDown, tunnelSilent } from "./failure.ts";
import { createHeartbeat } from "./heartbeat.ts";

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
  /** The host is done with it. It counts as under way until its answer has been read. */
  isOver: boolean;
  late: NodeJS.Timeout;
  /** Runs while something waits to be read and nothing is. */
  stalled: NodeJS.Timeout | undefined;
  /** For the request's body. */
  credit: TunnelCredit;
  /** Nobody's leaving or lateness matters any more. */
  release(): void;
}

/** Of answers that nobody has read yet, from a host that knows no credit: of one, and of all together. */
const earlierHeldBytes = { each: 16 * 1024 * 1024, together: 32 * 1024 * 1024 };
/** Whoever reads nothing for so long has left without saying so. */
const stallMs = 120_000;
const headMs = 120_000;
const { chunkBytes, inFlight, requestBytes, windowBytes } = limits.tunnels;

export interface RelaySession {
  readonly id: string;
  readonly serverId: ServerId;
  request(request: RelayRequest): Promise<RelayAnswer>;
  /** Resolves when nothing is under way any more. */
  idle(): Promise<void>;
  /** Ends it with a word to the host; what is under way fails. */
  close(code: number): void;
}

export function createRelaySession(
  socket: WebSocket,
  { id, serverId, slug }: { id: string; serverId: ServerId; slug: string },
  onClosed: () => void,
): RelaySession {
  const protocol = chosenTunnelProtocol([socket.protocol]) ?? tunnelProtocol;
  const hasCredit = protocol === tunnelProtocol;
  const serverPath = tunnelServerPath(protocol, serverId);
  const exchanges = new Map<number, Exchange>();
  const idlers = new Set<() => void>();
  let lastId = 0;

  const heartbeat = createHeartbeat(socket, isAwaited, failUnanswered);
  socket.on("message", (data, isBinary) => {
    const understood = isBinary ? takeChunk(data) : takeFrame(data);
    if (!understood) socket.close(1002);
  });
  socket.on("error", () => socket.terminate());
  socket.on("close", () => {
    failAll();
    onClosed();
  });

  send({
    t: "hello",
    proto: protocol,
    slug,
    limits: {
      maxReqBody: requestBytes,
      chunk: chunkBytes,
      maxInflight: inFlight,
      ...(hasCredit && { window: windowBytes }),
    },
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
        if (!exchange || exchange.hasHead) return exchange === undefined || exchange.isOver;
        const { status, headers } = frame;
        if (!isAnswerStatus(status) || !areSendable(headers)) {
          abort(frame.id, "upstream_error");
          return true;
        }
        exchange.hasHead = true;
        clearTimeout(exchange.late);
        exchange.answer.resolve({ status, headers, body: exchange.queue.body });
        return true;
      }
      case "res_end":
        end(frame.id);
        return true;
      case "credit":
        exchanges.get(frame.id)?.credit.give(frame.bytes);
        return true;
      case "abort":
        if (!exchanges.get(frame.id)?.isOver) forget(frame.id, aborted(frame.code));
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
    if (!exchange || exchange.isOver) return true;
    if (!exchange.hasHead) return false;
    exchange.queue.push(chunk.payload);
    exchange.stalled ??= stallTimer(chunk.id);
    // One that sends beyond its credit, or without any to an absent reader, loses this request and no other.
    if (holdsTooMuch(exchange)) abort(chunk.id, "overloaded");
    return true;
  }

  function holdsTooMuch({ queue }: Exchange): boolean {
    if (hasCredit) return queue.bytes > windowBytes;
    const together = [...exchanges.values()].reduce((sum, other) => sum + other.queue.bytes, 0);
    return queue.bytes > earlierHeldBytes.each || together > earlierHeldBytes.together;
  }

  const stallTimer = (number: number) => setTimeout(() => abort(number, "overloaded"), stallMs).unref();

  function restartStall(number: number, exchange: Exchange): void {
    clearTimeout(exchange.stalled);
    exchange.stalled = exchange.queue.bytes > 0 ? stallTimer(number) : undefined;
  }

  /** The host has said everything; whoever asked may still be reading it. */
  function end(number: number): void {
    const exchange = exchanges.get(number);
    if (!exchange || exchange.isOver) return;
    if (exchange.hasHead) {
      exchange.isOver = true;
      exchange.queue.end();
    } else forget(number, aborted("upstream_error"));
  }

  /** The request is gone: its answer is read, or it failed. */
  function forget(number: number, failure?: Error): void {
    const exchange = exchanges.get(number);
    if (!exchange) return;
    exchanges.delete(number);
    clearTimeout(exchange.stalled);
    exchange.release();
    exchange.credit.end();
    if (failure) {
      exchange.answer.reject(failure);
      exchange.queue.fail(failure);
    }
    if (exchanges.size === 0) for (const wake of idlers) wake();
  }

  /** A whole answer that is still being read needs no host any more. */
  function failAll(): void {
    for (const [number, { isOver }] of [...exchanges]) if (!isOver) forget(number, tunnelDown());
  }

  function isAwaited(): boolean {
    return [...exchanges.values()].some(({ hasHead }) => !hasHead);
  }

  /** A stream that rests may go on when the host does; who has heard nothing at all is told why. */
  function failUnanswered(): void {
    for (const [number, { hasHead }] of [...exchanges]) {
      if (!hasHead) abort(number, "timeout", tunnelSilent());
    }
  }

  function abort(number: number, code: TunnelAbort, failure: Error = aborted(code)): void {
    const exchange = exchanges.get(number);
    if (!exchange) return;
    if (!exchange.isOver) send({ t: "abort", id: number, code });
    forget(number, failure);
  }

  async function sendBody(number: number, body: AsyncIterable<Uint8Array>): Promise<void> {
    let sent = 0;
    for await (const piece of body) {
      sent += piece.length;
      if (sent > requestBytes) return abort(number, "too_large", tooLarge(requestBytes));
      for (const payload of inTunnelChunks(piece, chunkBytes)) {
        if (!(await exchanges.get(number)?.credit.take(payload.length))) return;
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
      if (heartbeat.isSilent) throw tunnelSilent();
      if (exchanges.size >= inFlight) throw tooManyInFlight(inFlight);
      signal.throwIfAborted();
      do lastId = (lastId + 1) >>> 0;
      while (exchanges.has(lastId));
      const number = lastId;
      const leave = () => abort(number, "client_gone");
      const wasRead = createTunnelReading(windowBytes, (bytes) => {
        if (hasCredit && !exchange.isOver) send({ t: "credit", id: number, bytes });
      });
      const exchange: Exchange = {
        answer: Promise.withResolvers(),
        queue: createChunkQueue(
          (bytes) => {
            wasRead(bytes);
            restartStall(number, exchange);
          },
          () => (exchange.isOver ? forget(number) : abort(number, "client_gone")),
        ),
        hasHead: false,
        isOver: false,
        credit: createTunnelCredit(hasCredit ? windowBytes : Number.POSITIVE_INFINITY),
        late: setTimeout(() => abort(number, "timeout"), headMs),
        stalled: undefined,
        release: () => {
          clearTimeout(exchange.late);
          signal.removeEventListener("abort", leave);
        },
      };
      exchanges.set(number, exchange);
      signal.addEventListener("abort", leave, { once: true });
      // Ours is `/` and the query.
      const there = serverPath + url.slice(1);
      send({ t: "req", id: number, method, url: there, headers, hasBody: body !== undefined });
      if (body) sendBody(number, body).catch(leave);
      heartbeat.ask();
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
      failAll();
    },
  };
}

/** What HTTP cannot carry (a line break, a name that is none) is the host's fault, and costs it that request. */
function areSendable(headers: TunnelHeaders): boolean {
  try {
    for (const [name, value] of headers) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    }
    return true;
  } catch {
    return false;
  }
}
