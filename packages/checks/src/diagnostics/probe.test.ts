import { type HttpTarget, parseTarget } from "@fettle/mcp";
import {
  startBookshop,
  startHostile,
  startLegacySse,
  startProtectedBookshop,
  startStateless,
} from "@fettle/samples";
import { expect, onTestFinished, test } from "vitest";
import { probe } from "./probe.ts";

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
