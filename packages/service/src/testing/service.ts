/** @module The real HTTP server on a real database, on a port of its own. */
import type { App } from "../core/app.ts";
import { listen } from "../http/listening-socket.ts";
import { createMetrics } from "../http/metrics.ts";
import { createServer } from "../http/server.ts";
import { createUpgrade } from "../servers/relay/upgrade.ts";
import { bindingOf } from "../start/bindings.ts";
import type { RunningApp } from "../start/create-app.ts";
import { createRawRoutes } from "../start/raw-routes.ts";
import { testApp } from "./app.ts";
import type { TestDatabase } from "./database.ts";

export interface Answer {
  status: number;
  headers: Headers;
  // Tests look into whatever was answered; the contract's own schemas are checked by the server.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any;
}

export interface Request {
  method?: string;
  /** A bearer of any kind. */
  key?: string;
  headers?: Record<string, string>;
  /** Sent as JSON, or as it is when it is a text. */
  body?: unknown;
  /** Told of what has come so far, whenever more of the answer has. */
  hears?: (text: string) => void;
}

export interface TestService {
  url: string;
  app: RunningApp;
  /** Calls a path, the surface's base included. */
  call(path: string, request?: Request): Promise<Answer>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface TestServiceOptions {
  env?: Record<string, string>;
  log?: App["log"];
  now?: () => number;
  /** A build of the web app to serve. */
  webFolder?: string;
  /** A database shared with another service, as two processes would. */
  database?: TestDatabase;
}

/**
 * Starts a service that listens.
 *
 * @example
 * await using service = await testService();
 * const { status } = await service.call("/api/v1/me", { key });
 */
export async function testService(options: TestServiceOptions = {}): Promise<TestService> {
  const app = await testApp(options);
  const { webFolder } = options;
  const metrics = createMetrics();
  const rawRoutes = createRawRoutes({ readiness: { reason: undefined }, metrics, webFolder });
  const stopping = new AbortController();
  const server = createServer({
    app,
    bindingOf,
    rawRoutes,
    metrics,
    webFolder,
    stopping: stopping.signal,
    checkOutputs: true,
  });
  await server.ready();
  const front = await listen({ host: "127.0.0.1", port: 0 });
  front.open(server.routing, createUpgrade(app));
  const url = `http://127.0.0.1:${front.port}`;
  app.relay.listeningAt(url);
  const close = async () => {
    stopping.abort();
    await app.relay.close();
    await front.close(5_000);
    await server.close();
    await app.stop();
  };
  return {
    url,
    app,
    call: (path, request) => call(url + path, request),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function call(url: string, request: Request = {}): Promise<Answer> {
  const isText = typeof request.body === "string";
  const response = await fetch(url, {
    method: request.method ?? "GET",
    redirect: "manual",
    headers: {
      ...(request.key !== undefined && { authorization: `Bearer ${request.key}` }),
      ...(request.body !== undefined && { "content-type": "application/json" }),
      ...request.headers,
    },
    ...(request.body !== undefined && { body: isText ? String(request.body) : JSON.stringify(request.body) }),
  });
  let text = "";
  for await (const more of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += more;
    request.hears?.(text);
  }
  const isJson = text !== "" && response.headers.get("content-type")?.startsWith("application/json");
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}
