import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { duplexPair } from "node:stream";
import { createHttpClient, type HttpClient, type HttpTarget, localPolicy, parseTarget } from "@fettle/mcp";
import {
  startBookshop,
  startHostile,
  startLegacySse,
  startProtectedBookshop,
  startStateless,
} from "@fettle/samples";
import { expect, onTestFinished, test } from "vitest";
import { probe } from "./probe.ts";
import { discoverOauth } from "./probe-oauth.ts";

async function target(start: Promise<{ url: string; close(): Promise<void> }>): Promise<HttpTarget> {
  const sample = await start;
  onTestFinished(() => sample.close());
  return parseTarget({ url: sample.url }) as HttpTarget;
}

const names = (report: { transport: { attempts: { name: string }[] } }) =>
  report.transport.attempts.map(({ name }) => name);

test("a server of both eras is ready by discovery, and a pinned version asks for a handshake", async () => {
  const bookshop = await target(startBookshop());
  const report = await probe(bookshop);
  expect(report).toMatchObject({
    status: "ready",
    transport: { selected: "streamable-http" },
    initialize: { serverInfo: { name: "bookshop" } },
    oauth: { required: false, optional: false },
  });
  expect(names(report)[0]).toBe("server_discover");
  const pinned = await probe(bookshop, { protocolVersion: "2025-06-18" });
  expect(pinned).toMatchObject({ status: "ready", protocolVersion: "2025-06-18" });
  expect(names(pinned)[0]).toBe("streamable_initialize");
});

test("a stateless server is ready although it knows no handshake", async () => {
  const stateless = await target(startStateless());
  expect(await probe(stateless)).toMatchObject({ status: "ready", protocolVersion: "2026-07-28" });
});

test("an old SSE server is found by its GET stream", async () => {
  const report = await probe(await target(startLegacySse()));
  expect(report).toMatchObject({ status: "ready", transport: { selected: "sse" } });
  expect(names(report)).toContain("sse_probe");
});

test("a protected server shows its metadata and how to register", async () => {
  const report = await probe(await target(startProtectedBookshop()));
  expect(report.status).toBe("oauth_required");
  expect(report.oauth).toMatchObject({
    required: true,
    wwwAuthenticate: expect.stringContaining("Bearer"),
    resourceMetadata: { authorization_servers: [expect.any(String)] },
    authorizationServerMetadata: { token_endpoint: expect.any(String) },
    registrationStrategies: expect.arrayContaining(["preregistered", "dcr"]),
  });
});

test.each([
  ["html-instead-of-json", "reachable"],
  ["not-found", "reachable"],
  ["gateway-error", "error"],
  ["unauthorized-without-metadata", "oauth_required"],
  ["redirect-loop", "reachable"],
])("%s is %s, with the exchange as evidence", async (name, status) => {
  const report = await probe(await target(startHostile(name)));
  expect(report.status).toBe(status);
  expect(report.transport.attempts[0]).toMatchObject({
    request: { method: "POST", headers: expect.any(Object) },
    response: { status: expect.any(Number) },
    durationMs: expect.any(Number),
  });
});

test("a silent server costs no more than the time allowed", async () => {
  const started = performance.now();
  const report = await probe(await target(startHostile("hang-at-initialize")), { timeoutMs: 400 });
  expect(report).toMatchObject({ status: "error", error: expect.stringContaining("no answer came within") });
  expect(performance.now() - started).toBeLessThan(20_000);
});

test("a public server's word about who guards it does not lead to this machine", async () => {
  let asked = 0;
  const inside = createServer((_request, response) => {
    asked++;
    response.end("{}");
  }).listen(0, "127.0.0.1");
  await once(inside, "listening");
  onTestFinished(() => void inside.close());
  const issuer = `http://127.0.0.1:${(inside.address() as AddressInfo).port}`;
  // No network leads to it, and whoever reaches it takes it for public.
  const outside = createServer((_request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ resource: serverUrl, authorization_servers: [issuer] }));
  });
  const dial = () => {
    const [ours, theirs] = duplexPair();
    outside.emit("connection", theirs);
    return ours;
  };
  const serverUrl = "https://mcp.example.com/mcp";
  const ofServer = createHttpClient({ policy: { ...localPolicy, dial } });
  const ofOthers = createHttpClient({ policy: localPolicy });
  const client: HttpClient = {
    ...ofOthers,
    request: (request) => (new URL(request.url).origin === issuer ? ofOthers : ofServer).request(request),
  };
  const question = { serverUrl, pointer: undefined, protocolVersion: "2025-11-25", timeoutMs: 10_000 };
  const { oauth } = await discoverOauth(client, question);
  expect(oauth).toMatchObject({
    resourceMetadata: { authorization_servers: [issuer] },
    authorizationServerUnreached: true,
    discoveryError: expect.stringContaining("it is not contacted"),
  });
  expect(asked).toBe(0);
});
