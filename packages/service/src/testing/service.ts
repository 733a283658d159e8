/** @module The real HTTP server on a real database, on a port of its own. */
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cliLoginRoutes } from "../accounts/cli-login/routes.ts";
import { readSession } from "../accounts/sign-in/sessions.ts";
import { type App, createApp } from "../app.ts";
import { bindings } from "../bindings.ts";
import { readConfig } from "../config.ts";
import type { Bindings } from "../http/bind.ts";
import type { Credentials } from "../http/credentials.ts";
import { createMetrics } from "../http/metrics.ts";
import type { RawRoute } from "../http/raw-route.ts";
import { createServer } from "../http/server.ts";
import { testDatabase } from "./database.ts";
import { silentLog } from "./silent-log.ts";

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
}

export interface TestService {
  url: string;
  app: App;
  /** Calls a path, the surface's base included. */
  call(path: string, request?: Request): Promise<Answer>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface TestServiceOptions {
  bindings?: Partial<Bindings>;
  rawRoutes?: RawRoute[];
  credentials?: Credentials;
  env?: Record<string, string>;
  log?: App["log"];
}

/**
 * Starts a service that listens.
 *
 * @example
 * await using service = await testService();
 * const { status } = await service.call("/api/v1/me", { key });
 */
export async function testService(options: TestServiceOptions = {}): Promise<TestService> {
  const database = await testDatabase();
  const dataFolder = await mkdtemp(join(tmpdir(), "fettle-service-"));
  const env = { DATABASE_URL: database.url.reveal(), FETTLE_DATA: dataFolder, FETTLE_PORT: "0" };
  const app = await createApp(readConfig({ env: { ...env, ...options.env } }), {
    log: options.log ?? silentLog,
  });
  const server = createServer({
    app,
    bindings: { ...bindings, ...options.bindings },
    rawRoutes: options.rawRoutes ?? cliLoginRoutes,
    credentials: options.credentials ?? { readSession: ({ headers }) => readSession(app, headers) },
    metrics: createMetrics(),
    checkOutputs: true,
  });
  await server.listen({ host: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  const close = async () => {
    await server.close();
    await app.stop();
    await database.close();
    await rm(dataFolder, { recursive: true });
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
    headers: {
      ...(request.key !== undefined && { authorization: `Bearer ${request.key}` }),
      ...(request.body !== undefined && { "content-type": "application/json" }),
      ...request.headers,
    },
    ...(request.body !== undefined && { body: isText ? String(request.body) : JSON.stringify(request.body) }),
  });
  const text = await response.text();
  const isJson = text !== "" && response.headers.get("content-type")?.startsWith("application/json");
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}
