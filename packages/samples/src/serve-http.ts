/**
 * Puts a web-standard `fetch` handler behind `node:http`: one listener to mount, or a whole server on a free port.
 * @module
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";

export type FetchHandler = (request: Request) => Promise<Response>;
export type NodeListener = (req: IncomingMessage, res: ServerResponse) => void;

export interface ListenOptions {
  /** 0, the default, picks a free port. */
  port?: number;
  /** Loopback by default: a sample has no business on the network unless asked. */
  host?: string;
}

export interface RunningSample {
  /** Where MCP is spoken. */
  url: string;
  close(): Promise<void>;
}

export interface RunningServer {
  /** Scheme, host and port, without a trailing slash. */
  origin: string;
  close(): Promise<void>;
}

/** Adapts a `fetch` handler to a `node:http` request listener. */
export function nodeListener(fetchHandler: FetchHandler): NodeListener {
  return (req, res) => {
    // A client that hangs up is not a fault of the sample, and nobody is left to tell.
    answer(fetchHandler, req, res).catch(() => res.destroy());
  };
}

/** Serves one path and answers 404 everywhere else. */
export function atPath(path: string, handler: FetchHandler): FetchHandler {
  return async (request) =>
    new URL(request.url).pathname === path ? handler(request) : new Response("Not found", { status: 404 });
}

/** Starts listening, and resolves once connections are accepted. */
export async function listen(listener: NodeListener, options: ListenOptions = {}): Promise<RunningServer> {
  const host = options.host ?? "127.0.0.1";
  const server = createServer(listener);
  server.listen(options.port ?? 0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(fetchHandler: FetchHandler, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const gone = new AbortController();
  res.once("close", () => {
    if (!res.writableFinished) gone.abort();
  });
  const request = toRequest(req, gone.signal);
  if (!request) {
    res.writeHead(400).end();
    return;
  }
  const response = await fetchHandler(request);
  res.writeHead(response.status, [...response.headers].flat());
  if (!response.body) {
    res.end();
    return;
  }
  // Streams may wait long for their first event: the client must see the headers now.
  res.flushHeaders();
  await pipeline(Readable.fromWeb(response.body as ReadableStream), res);
}

function toRequest(req: IncomingMessage, signal: AbortSignal): Request | undefined {
  const url = `http://${req.headers.host ?? "localhost"}${req.url}`;
  if (!URL.canParse(url)) return undefined;
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headersDistinct)) {
    for (const one of value ?? []) headers.append(name, one);
  }
  const hasBody = req.method !== "GET" && req.method !== "HEAD";
  return new Request(url, {
    method: req.method ?? "GET",
    headers,
    signal,
    ...(hasBody && { body: Readable.toWeb(req) as ReadableStream<Uint8Array>, duplex: "half" }),
  } as RequestInit);
}
