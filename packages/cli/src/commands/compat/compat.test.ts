/** @module `fettle compat` as a person runs it. */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { loadHostCatalog } from "@fettle/mcp";
import { startBookshop } from "@fettle/samples";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { apiKey, testDeployment } from "../../testing/deployment.ts";
import { testWorld } from "../../testing/world.ts";

let url: string[];
let close: () => Promise<void>;
beforeAll(async () => {
  const bookshop = await startBookshop();
  url = ["--url", bookshop.url];
  close = bookshop.close;
});
afterAll(() => close());

test("all hosts are judged, and the verdict does not change the exit code unless asked", async () => {
  const world = await testWorld();
  const { stdout, stderr, exitCode } = await world.fettle("compat", ...url);
  const report = JSON.parse(stdout);
  expect(exitCode).toBe(0);
  expect(report).toMatchObject({ target: url[1], catalogSource: "bundled", catalogVersion: 0 });
  expect(report.widgets).toEqual({ total: 2, appOnly: 1 });
  expect(report.hosts).toHaveLength(16);
  const { works, degraded, blocked, unknown } = report.summary;
  expect(works + degraded + blocked + unknown).toBe(16);
  expect(stderr).toContain("bundled");
  expect((await world.fettle("compat", ...url, "--fail-on", "blocked")).exitCode).toBe(1);
  const one = await world.fettle("compat", ...url, "--host", "fettle", "--fail-on", "degraded");
  expect([one.exitCode, JSON.parse(one.stdout).hosts.length]).toEqual([0, 1]);
});

test("for eyes: hosts in a table, each finding once, sources and remedies", async () => {
  const world = await testWorld();
  const hosts = ["--host", "claude", "--host", "goose", "--host", "cline", "--host", "notion"];
  const { stdout } = await world.fettle("compat", ...url, ...hosts, "--format", "human");
  expect(stdout).toMatchSnapshot();
});

test("an unknown host is refused before anything is connected", async () => {
  const world = await testWorld();
  const { exitCode, stderr } = await world.fettle(
    "compat",
    "--url",
    "http://127.0.0.1:9",
    "--host",
    "nobody",
  );
  expect(exitCode).toBe(2);
  expect(stderr).toContain('No host is called \\"nobody\\"');
});

test.each([
  ["help", ["--help"]],
  ["the refusal of a missing one", ["--host"]],
])("%s lists the hosts", async (_, argv) => {
  const { stdout, stderr } = await (await testWorld()).fettle("compat", ...argv);
  expect(stdout + stderr).toMatch(/claude-code[\s\S]*notion/);
});

test("a server that cannot be reached is an error, not a verdict", async () => {
  const world = await testWorld();
  const { exitCode, stdout, stderr } = await world.fettle("compat", "--url", "http://127.0.0.1:9/mcp");
  expect([exitCode, stdout]).toEqual([3, ""]);
  expect(JSON.parse(stderr).error.code).toBe("SERVER_UNREACHABLE");
});

test("the facts of a deployment are used when asked for, and a credential goes only to its own", async () => {
  const deployment = await testDeployment();
  const { catalog, ...rest } = await loadHostCatalog();
  const only = { ...rest, version: 7, catalog: catalog.filter(({ id }) => id === "claude") };
  deployment.answers.set("GET /api/v1/host-catalog", (response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(only)),
  );
  const at = ["--catalog-url", deployment.origin];
  const home = await testWorld({ env: { FETTLE_API_KEY: apiKey, FETTLE_API_URL: deployment.apiUrl } });
  const live = JSON.parse((await home.fettle("compat", ...url, ...at)).stdout);
  expect(live).toMatchObject({ catalogSource: "live", catalogVersion: 7, hosts: [{ hostId: "claude" }] });
  expect(deployment.seen.at(-1)?.headers.authorization).toBe(`Bearer ${apiKey}`);

  const stranger = await testWorld({ env: { FETTLE_API_KEY: apiKey } });
  await stranger.fettle("compat", ...url, ...at);
  expect(deployment.seen.at(-1)?.headers.authorization).toBeUndefined();

  const offline = JSON.parse((await home.fettle("compat", ...url, ...at, "--offline")).stdout);
  expect(offline.catalogSource).toBe("bundled");
});

test("a catalogue that does not come is said, and the bundled one used", async () => {
  const deployment = await testDeployment();
  const world = await testWorld();
  const { stdout, stderr } = await world.fettle("compat", ...url, "--catalog-url", deployment.apiUrl);
  expect(JSON.parse(stdout)).toMatchObject({ catalogSource: "bundled", catalogVersion: 0 });
  expect(stderr).toContain("Judging by the bundled one.");
  const wrong = await world.fettle("compat", ...url, "--catalog-url", "nowhere");
  expect([wrong.exitCode, wrong.stderr.includes("--catalog-url")]).toEqual([2, true]);
});

test("credentials that a server repeats in the names of its tools are shown nowhere", async () => {
  const shop = createServer(async (request, response) => {
    const answer = repeating(request, (await json(request)) as { id?: number; method: string });
    response.writeHead(answer ? 200 : 202, { "content-type": "application/json" });
    response.end(answer && JSON.stringify(answer));
  }).listen(0, "127.0.0.1");
  await once(shop, "listening");
  onTestFinished(() => void shop.close());
  const at = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/mcp`;
  const proof = ["--access-token", "canary-token", "--header", "X-Shop: canary-header"];
  for (const format of ["json", "human"]) {
    const world = await testWorld();
    const { stdout, stderr, exitCode } = await world.fettle(
      "compat",
      "--url",
      at,
      ...proof,
      "--format",
      format,
    );
    expect(exitCode).toBe(0);
    expect(stdout).toContain("tool_name_rejected");
    expect(stdout).toContain("sell to [REDACTED] of [REDACTED]");
    expect(stdout + stderr).not.toContain("canary");
  }
});

/** A server of one tool, whose name no host takes and which tells who asked. */
function repeating({ headers }: IncomingMessage, { id, method }: { id?: number; method: string }) {
  if (id === undefined) return undefined;
  const bearer = headers.authorization?.replace("Bearer ", "");
  const name = `sell to ${bearer} of ${headers["x-shop"]}`;
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: `shop of ${bearer}`, version: "1" },
    },
    "tools/list": { tools: [{ name, inputSchema: { type: "object" } }] },
  };
  const result = results[method];
  return {
    jsonrpc: "2.0",
    id,
    ...(result ? { result } : { error: { code: -32601, message: "No such method" } }),
  };
}
