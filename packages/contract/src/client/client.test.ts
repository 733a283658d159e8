import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, expectTypeOf, it } from "vitest";
import { ApiError } from "../core/errors.ts";
import type { Project } from "../people/project.ts";
import { Secret } from "../secrets/secret.ts";
import { createAppClient, createClient } from "./client.ts";
import type { ClientOptions } from "./request.ts";

type Seen = { method: string; url: string; headers: IncomingMessage["headers"]; body: string };
type Reply = (response: ServerResponse, seen: Seen) => void;

let server: Server | undefined;

afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

/** A real server that gives these answers in turn, the last one for good. */
async function serving(...replies: Reply[]) {
  const seen: Seen[] = [];
  server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const call = { method: request.method!, url: request.url!, headers: request.headers, body };
    seen.push(call);
    replies[Math.min(seen.length, replies.length) - 1]!(response, call);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  const client = (options: Partial<ClientOptions> = {}) =>
    createClient({ baseUrl, key: "sk_test", ...options });
  return { seen, baseUrl, client };
}

function json(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return (response) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

const ok = json(200, { items: [] });
const busy = json(429, { code: "RATE_LIMITED", message: "Slow down." }, { "retry-after": "0" });

describe("what is sent", () => {
  it("fills the path, keeping odd ids inside their segment", async () => {
    const { seen, client } = await serving(json(200, {}));
    await client().getProject({ projectId: "a/b?c#d é" });
    expect(seen[0]).toMatchObject({ method: "GET", url: "/api/v1/projects/a%2Fb%3Fc%23d%20%C3%A9" });
  });

  it.each(["", ".", ".."])("refuses the id %j, which would reach another operation", async (projectId) => {
    const { seen, client } = await serving(ok);
    expect(await failureOf(client().getProject({ projectId }))).toMatchObject({ code: "VALIDATION_ERROR" });
    expect(seen).toEqual([]);
  });

  it("writes the query, leaving out what is undefined and repeating lists", async () => {
    const { seen, client } = await serving(ok);
    await client().listProjects({ query: { organizationId: "org_1&x" } });
    await client().listProjects({ query: { organizationId: undefined } });
    const query: object = { status: ["failed", "passed"], limit: 5 };
    await client().listConformanceRuns({ projectId: "p", query });
    expect(seen.map(({ url }) => url)).toEqual([
      "/api/v1/projects?organizationId=org_1%26x",
      "/api/v1/projects",
      "/api/v1/projects/p/conformance-runs?status=failed&status=passed&limit=5",
    ]);
  });

  it("sends the body as JSON, and none where there is none", async () => {
    const { seen, client } = await serving(ok);
    await client().createProject({ body: { name: "Shop" } }, { idempotencyKey: "k1" });
    await client().deleteProject({ projectId: "p" });
    expect(seen[0]).toMatchObject({ method: "POST", body: '{"name":"Shop"}' });
    expect(seen[0]!.headers).toMatchObject({ "content-type": "application/json", "idempotency-key": "k1" });
    expect(seen[1]).toMatchObject({ method: "DELETE", body: "" });
    expect(seen[1]!.headers).not.toHaveProperty("content-type");
  });

  it.each([
    ["a key", { key: "sk_1" }, "Bearer sk_1"],
    ["a secret key", { key: new Secret("sk_2") }, "Bearer sk_2"],
    ["a token", { key: undefined, token: "at_1" }, "Bearer at_1"],
    ["a token fetched anew", { key: undefined, token: async () => new Secret("at_2") }, "Bearer at_2"],
    ["nothing, as a page does", { key: undefined }, undefined],
  ])("proves itself with %s", async (_, options, authorization) => {
    const { seen, client } = await serving(ok);
    await client(options as Partial<ClientOptions>).getMe();
    expect(seen[0]!.headers.authorization).toBe(authorization);
  });

  it("adds the headers asked for, which cannot replace the credential", async () => {
    const { seen, client } = await serving(ok);
    await client({
      headers: { "X-Proxy": "1", Authorization: "Basic x" },
      userAgent: "fettle-cli/1",
    }).getMe();
    expect(seen[0]!.headers).toMatchObject({
      "x-proxy": "1",
      authorization: "Bearer sk_test",
      "user-agent": "fettle-cli/1",
    });
  });

  it("reaches the pages' own routes through the app client", async () => {
    const { seen, baseUrl } = await serving(json(200, { signedOut: true }));
    await createAppClient({ baseUrl: baseUrl.replace("/api/v1", "/app/") }).signOut();
    expect(seen[0]).toMatchObject({ method: "POST", url: "/app/sign-out" });
  });
});

describe("what comes back", () => {
  it("keeps fields that this client does not know", async () => {
    const { client } = await serving(json(200, { items: [{ id: "p", novel: 1 }], extra: true }));
    expect(await client().listProjects()).toEqual({ items: [{ id: "p", novel: 1 }], extra: true });
  });

  it("carries code, details, status and request id of a failure", async () => {
    const body = { code: "CONFLICT", message: "Stale.", details: { code: "STALE_NAME" } };
    const { client } = await serving(json(409, body, { "x-request-id": "req_7" }));
    expect(await failureOf(client().getMe())).toMatchObject({ ...body, status: 409, requestId: "req_7" });
  });

  it("passes a code it has never heard of through, and does not repeat the call", async () => {
    const { seen, client } = await serving(json(418, { code: "TEAPOT", message: "Short and stout." }));
    expect(await failureOf(client().getMe())).toMatchObject({
      code: "TEAPOT",
      status: 418,
      message: "Short and stout.",
    });
    expect(seen).toHaveLength(1);
  });

  it.each([
    [401, "UNAUTHORIZED"],
    [404, "NOT_FOUND"],
    [413, "VALIDATION_ERROR"],
    [500, "INTERNAL_ERROR"],
    [502, "SERVER_UNREACHABLE"],
    [503, "UNAVAILABLE"],
    [504, "TIMEOUT"],
  ])("names a %i page of some proxy %s", async (status, code) => {
    const { client } = await serving((response) => response.writeHead(status).end("<h1>Oops</h1>"));
    expect(await failureOf(client().getMe())).toMatchObject({ code, status });
  });

  it("does not take a page for an answer", async () => {
    const { client } = await serving((response) => response.writeHead(200).end("<!doctype html>"));
    expect(await failureOf(client().getMe())).toMatchObject({ code: "INTERNAL_ERROR", status: 200 });
  });

  it("does not follow a redirect with the credential, and says where it leads", async () => {
    const { seen, client } = await serving((response) =>
      response.writeHead(302, { location: "https://elsewhere.example/" }).end(),
    );
    const error = await failureOf(client().getMe());
    expect(error.message).toContain("https://elsewhere.example/");
    expect(seen).toHaveLength(1);
  });

  it("says that nothing answered", async () => {
    const { client } = await serving(ok);
    const stopped = new Promise((resolve) => server!.close(resolve));
    await stopped;
    expect(await failureOf(client().getMe())).toMatchObject({ code: "SERVER_UNREACHABLE", status: 0 });
  });
});

describe("when the service is busy", () => {
  it("repeats a read until it is answered", async () => {
    const { seen, client } = await serving(busy, busy, ok);
    expect(await client().listProjects()).toEqual({ items: [] });
    expect(seen).toHaveLength(3);
  });

  it("waits at least as long as it is told", async () => {
    const { client } = await serving(
      json(429, { code: "RATE_LIMITED", message: "" }, { "retry-after": "1" }),
      ok,
    );
    const started = Date.now();
    await client().listProjects();
    expect(Date.now() - started).toBeGreaterThanOrEqual(1000);
  });

  it("gives up after four attempts, with the refusal itself", async () => {
    const { seen, client } = await serving(busy);
    expect(await failureOf(client().getMe())).toMatchObject({
      code: "RATE_LIMITED",
      status: 429,
      retryAfter: 0,
    });
    expect(seen).toHaveLength(4);
  });

  it("waits on until its time is over where somebody is told of the waiting, and tells of each wait", async () => {
    const { seen, client } = await serving(busy, busy, busy, busy, busy, busy, ok);
    const told: unknown[] = [];
    const { listProjects } = client({ onWait: (wait) => told.push(wait) });
    expect(await listProjects()).toEqual({ items: [] });
    expect(seen).toHaveLength(7);
    expect(told).toHaveLength(6);
    expect(told[0]).toMatchObject({ message: "Slow down.", ms: expect.any(Number) });
  });

  it("ends with the refusal itself when its time is over", async () => {
    const { seen, client } = await serving(
      json(429, { code: "RATE_LIMITED", message: "" }, { "retry-after": "1" }),
    );
    const asking = client({ onWait: () => {}, timeoutMs: 1900 }).getMe();
    expect(await failureOf(asking)).toMatchObject({ code: "RATE_LIMITED", status: 429 });
    expect(seen).toHaveLength(2);
  });

  it("does not repeat a write that takes no idempotency key and may have been begun", async () => {
    const { seen, client } = await serving(
      json(503, { code: "UNAVAILABLE", message: "" }, { "retry-after": "0" }),
    );
    await failureOf(client().updateProject({ projectId: "p", body: { name: "a" } }));
    expect(seen.map(({ headers }) => headers["idempotency-key"])).toEqual([undefined]);
  });

  it("gives a write that takes a key one of its own, the same on every attempt and another for every call", async () => {
    const { seen, client } = await serving(busy, json(201, {}));
    await client().createProject({ body: { name: "a" } });
    await client().createProject({ body: { name: "a" } });
    const [first, again, other] = seen.map(({ headers }) => headers["idempotency-key"]);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  it("sends the key it is given instead", async () => {
    const { seen, client } = await serving(busy, json(201, {}));
    await client().createProject({ body: { name: "a" } }, { idempotencyKey: "k" });
    expect(seen.map(({ headers }) => headers["idempotency-key"])).toEqual(["k", "k"]);
  });

  it("answers at once when told to come back after its patience ends", async () => {
    const { seen, client } = await serving(
      json(429, { code: "RATE_LIMITED", message: "" }, { "retry-after": "60" }),
    );
    const started = Date.now();
    expect(await failureOf(client().getMe())).toMatchObject({ code: "RATE_LIMITED", retryAfter: 60 });
    expect(Date.now() - started).toBeLessThan(20_000);
    expect(seen).toHaveLength(1);
  });
});

describe("patience", () => {
  const silence: Reply = () => {};
  const halfAnAnswer: Reply = (response) => response.writeHead(200).write('{"items":');

  it.each([
    ["a service that never answers", silence],
    ["an answer that never ends", halfAnAnswer],
  ])("ends on %s", async (_, reply) => {
    const { client } = await serving(reply);
    expect(await failureOf(client({ timeoutMs: 50 }).listProjects())).toMatchObject({
      code: "TIMEOUT",
      status: 0,
    });
  });

  it("says of a write that it may still be at work", async () => {
    const { client } = await serving(silence);
    const error = await failureOf(client().createProject({ body: { name: "a" } }, { timeoutMs: 50 }));
    expect(error.message).toContain("idempotency key");
  });

  it("stops when the caller does, with the caller's reason", async () => {
    const stop = new AbortController();
    const { client } = await serving(() => stop.abort(new Error("changed my mind")));
    await expect(client().getMe({}, { signal: stop.signal })).rejects.toThrow("changed my mind");
  });

  it("stops waiting for the next attempt when the caller does", async () => {
    const stop = new AbortController();
    const { client } = await serving((response, seen) => {
      json(429, { code: "RATE_LIMITED", message: "" }, { "retry-after": "20" })(response, seen);
      response.on("close", () => stop.abort(new Error("changed my mind")));
    });
    await expect(client().getMe({}, { signal: stop.signal })).rejects.toThrow("changed my mind");
  });
});

it("types each call by its operation", () => {
  const client = createClient({ baseUrl: "http://x" });
  const app = createAppClient({ baseUrl: "/app" });
  expectTypeOf(client.getProject).toBeCallableWith({ projectId: "p" });
  expectTypeOf(client.getProject).returns.resolves.toEqualTypeOf<Project>();
  // @ts-expect-error the project must be named
  client.getProject satisfies () => unknown;
  // @ts-expect-error a project needs a name
  expectTypeOf(client.createProject).toBeCallableWith({ body: {} });
  expectTypeOf(client.createProject).toBeCallableWith({ body: { name: "a" } });
  expectTypeOf(client.listProjects).toBeCallableWith();
  // @ts-expect-error a read with no query takes none
  expectTypeOf(client.getMe).toBeCallableWith({ query: { a: "b" } });
  expectTypeOf(app.getBootstrap).toBeCallableWith();
  expectTypeOf(client).not.toHaveProperty("getBootstrap");
  expectTypeOf(app).not.toHaveProperty("streamEvents");
});
