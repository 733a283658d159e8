import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { registryLimits } from "@fettle/contract/servers";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type TestApp, testApp } from "../../testing/app.ts";
import { readDirectories } from "../../testing/registry/inputs.ts";
import { listDirectorySources, searchDirectory } from "./directory.ts";
import { syncRegistriesSoon } from "./sync.ts";

type Answer = (url: URL, request: IncomingMessage, response: ServerResponse) => unknown;

let answer: Answer;
let asked: string[] = [];
let app: TestApp;
const upstream = createServer((request, response) => {
  const url = new URL(request.url!, "http://upstream");
  asked.push(url.searchParams.get("cursor") ?? "");
  answer(url, request, response);
});
beforeAll(async () => {
  upstream.listen(0, "127.0.0.1");
  await once(upstream, "listening");
  const { port } = upstream.address() as AddressInfo;
  app = await testApp({ env: { FETTLE_REGISTRY_URL: `http://127.0.0.1:${port}/v0.1/servers` } });
});
afterAll(async () => {
  await app.stop();
  upstream.close();
});
beforeEach(() => {
  asked = [];
});

const named = (name: string, description = "x") => ({ server: { name: `com.example/${name}`, description } });
const source = async () => (await listDirectorySources(app)).find(({ source }) => source !== "samples")!;
const names = async () => {
  const { source: from } = await source();
  const { items } = await searchDirectory(app, { source: from, connectableOnly: false, limit: 100 });
  return items.map(({ serverName }) => serverName.slice("com.example/".length));
};

/** Pages of the registry, each with its tag. */
const paged =
  (pages: object[][], tag = "1"): Answer =>
  (url, request, response) => {
    const at = Number(url.searchParams.get("cursor") ?? 0);
    const etag = `"${tag}-${at}"`;
    if (request.headers["if-none-match"] === etag) return response.writeHead(304).end();
    const nextCursor = at + 1 < pages.length ? String(at + 1) : undefined;
    response.writeHead(200, { etag, "content-type": "application/json" });
    response.end(JSON.stringify({ servers: pages[at], metadata: { nextCursor } }));
  };

it("reads every page, asks only for what has changed, and marks what is gone", async () => {
  answer = paged([[named("a"), named("b")], [named("c")]]);
  await readDirectories(app);
  expect([await names(), asked]).toEqual([
    ["a", "b", "c"],
    ["", "1"],
  ]);
  const first = await source();
  expect(first).toMatchObject({ liveCount: 3, lastFault: null });
  expect(first.lastSyncedAt).toBeTypeOf("number");
  await readDirectories(app);
  expect(await names()).toEqual(["a", "b", "c"]);
  expect(await source()).toMatchObject({ liveCount: 3, upstreamFetchedAt: first.upstreamFetchedAt });
  answer = paged([[named("a")]], "2");
  await readDirectories(app);
  expect(await names()).toEqual(["a"]);
});

const faults: [what: string, answer: Answer, says: RegExp][] = [
  ["an error", (_url, _request, response) => response.writeHead(500).end("secret-body"), /status 500/],
  ["no JSON", (_url, _request, response) => response.end("<html>"), /not JSON/],
  ["no registry", (_url, _request, response) => response.end(`{"hello":"world"}`), /no server/],
  ["a hung-up line", (_url, _request, response) => response.socket?.destroy(), /./],
  [
    "a circle of pages",
    (_url, _request, response) => response.end(`{"servers":[],"metadata":{"nextCursor":"x"}}`),
    /circle/,
  ],
  [
    "pages without end",
    (url, _request, response) => {
      const next = Number(url.searchParams.get("cursor") ?? 0) + 1;
      response.end(JSON.stringify({ servers: [named("endless")], metadata: { nextCursor: String(next) } }));
    },
    /more than 1000 pages/,
  ],
  [
    "a redirect to a metadata service",
    (_url, _request, response) => response.writeHead(302, { location: "http://169.254.169.254/" }).end(),
    /not contacted/,
  ],
  ["a deep nest", (_url, _request, response) => response.end("[".repeat(1_000_000)), /./],
  [
    "a flood",
    (_url, _request, response) => response.end(Buffer.alloc(registryLimits.pageBytes + 1, 32)),
    /larger/,
  ],
];
it.each(faults)("keeps the last good copy when upstream answers with %s", async (_what, faulty, says) => {
  answer = paged([[named("kept")]], `good-${_what}`);
  await readDirectories(app);
  answer = faulty;
  await readDirectories(app);
  expect(await names()).toEqual(["kept"]);
  const { lastFault } = await source();
  expect(lastFault).toMatch(says);
  expect(lastFault).not.toContain("secret-body");
  answer = paged([[named("well")]], "well");
  await readDirectories(app);
  expect([await names(), (await source()).lastFault]).toEqual([["well"], null]);
});

it("never fetches a private address from a hosted service", async () => {
  const { port } = upstream.address() as AddressInfo;
  await using hosted = await testApp({
    env: { FETTLE_REGISTRY_URL: `http://127.0.0.1:${port}/`, FETTLE_MODE: "hosted" },
  });
  await readDirectories(hosted);
  expect(asked).toEqual([]);
  expect(await listDirectorySources(hosted)).toMatchObject([
    { lastFault: expect.stringMatching(/not contacted/) },
  ]);
});

it("is read by a worker at the start, without anybody asking", async () => {
  answer = paged([[named("at-start")]], "start");
  await app.work();
  await syncRegistriesSoon(app);
  await expect.poll(names, { timeout: 60_000 }).toEqual(["at-start"]);
});
