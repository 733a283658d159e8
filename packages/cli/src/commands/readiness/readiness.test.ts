/** @module `fettle readiness check` as a person runs it: the real command against a server over TLS, with the profile of the guide. */
import { once } from "node:events";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer as createPlainServer, type IncomingHttpHeaders } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json, text } from "node:stream/consumers";
import { startBookshop, startProtectedBookshop } from "@fettle/samples";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { pngOf } from "../../../../checks/src/readiness/testing/archive.ts";
import { selfSigned } from "../../../../samples/src/hostile/certificate.ts";
import { spawnFettle } from "../../testing/process.ts";
import { temporaryFolder, testWorld } from "../../testing/world.ts";

let profile: string;
beforeAll(async () => {
  const guide = await readFile(join(import.meta.dirname, "../../../../../docs/readiness.md"), "utf8");
  profile = /```yaml\n([\s\S]*?)```/.exec(guide)?.[1] ?? "";
});

const tool = {
  name: "find_goods",
  title: "Find goods",
  description: "Tells what is in stock.",
  inputSchema: { type: "object" },
  annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
};

/** A small server with everything right, behind TLS. */
async function startShop(goods: object = tool): Promise<{ url: string; ca: string }> {
  const day = 86_400_000;
  const { key, cert } = selfSigned(new Date(Date.now() - day), new Date(Date.now() + day));
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "shop", version: "1" },
    },
    "tools/list": { tools: [goods] },
  };
  const server = createServer({ key, cert }, async (request, response) => {
    if (request.url === "/.well-known/openai-apps-challenge") return void response.end("corner-shop-1");
    if (request.url !== "/mcp") return void response.writeHead(404).end();
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method } = (await json(request)) as { id?: number; method: string };
    if (id === undefined) return void response.writeHead(202).end();
    const result = results[method];
    const answer = result ? { result } : { error: { code: -32601, message: "No such method" } };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const ca = join(await temporaryFolder(), "ca.pem");
  await writeFile(ca, cert);
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, ca };
}

async function folderWith(submission?: string): Promise<string> {
  const cwd = await temporaryFolder();
  if (submission === undefined) return cwd;
  await mkdir(join(cwd, ".fettle"));
  await writeFile(join(cwd, ".fettle", "submission.yaml"), submission);
  await mkdir(join(cwd, ".fettle", "shots"));
  for (const name of ["one", "two", "three"]) {
    await writeFile(join(cwd, ".fettle", "shots", `${name}.png`), pngOf(1280, 800));
  }
  return cwd;
}

async function check(cwd: string, ca: string, ...argv: string[]) {
  const child = spawnFettle(["readiness", "check", ...argv], { cwd, env: { NODE_EXTRA_CA_CERTS: ca } });
  const { code } = await child.exit;
  return { code, stdout: child.stdout(), stderr: child.stderr() };
}

const publishers = [
  ["claude", []],
  ["directory-a", []],
  ["openai", ["--submission-mode", "mcp-only"]],
] as const;

describe.each(publishers)("for %s", (publisher, more) => {
  test("a server with everything right and a full profile is ready; without one it is incomplete", async () => {
    const { url, ca } = await startShop();
    const full = await check(await folderWith(profile), ca, publisher, url, ...more);
    const report = JSON.parse(full.stdout);
    expect(report.findings.filter(({ status }: { status: string }) => status === "violated")).toEqual([]);
    expect([report.overallStatus, full.code]).toEqual(["ready", 0]);
    const bare = await check(await folderWith(), ca, publisher, url, ...more);
    const { overallStatus, lanes } = JSON.parse(bare.stdout);
    expect([overallStatus, bare.code]).toEqual(["incomplete", 3]);
    const listing = lanes.find(({ lane }: { lane: string }) => lane === "submission-artifacts");
    expect(listing.missingInputs).toEqual(["submissionProfile"]);
  });

  test("one tool without annotations is not ready, exit 1, also for CI", async () => {
    const { annotations: _, ...bare } = tool;
    const { url, ca } = await startShop(bare);
    const cwd = await folderWith(profile);
    const { code, stdout } = await check(cwd, ca, publisher, url, ...more, "--reporter", "junit-xml");
    expect(code).toBe(1);
    const failures = [...stdout.matchAll(/<failure message="([^"]*)"/g)].map(([, message]) => message);
    expect(failures).toHaveLength(1);
    expect(failures[0]).toMatch(/^find_goods /);
  });
});

test("a screenshot is looked at, not believed, where the server has MCP Apps", async () => {
  const { url, ca } = await startShop({ ...tool, _meta: { ui: { resourceUri: "ui://goods/list.html" } } });
  const cwd = await folderWith(profile);
  await rm(join(cwd, ".fettle", "shots", "one.png"));
  await writeFile(join(cwd, ".fettle", "shots", "two.png"), pngOf(640, 400));
  const { code, stdout } = await check(cwd, ca, "claude", url);
  expect(code).toBe(1);
  const violated = JSON.parse(stdout).findings.filter(
    ({ status }: { status: string }) => status === "violated",
  );
  expect(violated.map(({ id }: { id: string }) => id)).toEqual(["claude.submission.screenshots"]);
  expect(JSON.stringify(violated)).toMatch(/one\.png cannot be read.*two\.png has 640 x 400 px/);
});

test("there is no number of merit in a report", async () => {
  const { url, ca } = await startShop();
  const { stdout } = await check(await folderWith(profile), ca, "claude", url);
  expect(stdout).not.toMatch(/"(?:score|points|percent)"/i);
});

test("a package of skills alone is graded without a server", async () => {
  const cwd = await folderWith(profile);
  await mkdir(join(cwd, "plugin", "skills", "order"), { recursive: true });
  const manifest = {
    name: "order",
    version: "1.0.0",
    description: "Orders.",
    interface: { displayName: "Order", shortDescription: "Orders" },
  };
  await writeFile(join(cwd, "plugin", "plugin.json"), JSON.stringify(manifest));
  const skill = join(cwd, "plugin", "skills", "order", "SKILL.md");
  await writeFile(skill, "---\nname: order\ndescription: Orders.\n---\nAsk.\n");
  const world = await testWorld({ cwd });
  const argv = ["readiness", "check", "openai", "--submission-mode", "skills-only", "--package", "plugin"];
  const good = await world.fettle(...argv);
  expect([good.exitCode, JSON.parse(good.stdout).overallStatus]).toEqual([0, "ready"]);
  await writeFile(skill, "# Order\n");
  const spoiled = await world.fettle(...argv, "--format", "human");
  expect(spoiled.exitCode).toBe(1);
  expect(spoiled.stdout).toContain("skills/order/SKILL.md: it does not begin with front matter.");
});

test.each([
  ["openai --submission-mode mcp-only", /needs the server's address/],
  ["openai $URL", /--submission-mode is required/],
  ["openai $URL --submission-mode skills-only", /needs --package|does not go with the server/],
  ["openai $URL --submission-mode mcp-only --package .", /does not go with --package/],
  ["openai $URL --submission-mode mcp-uploaded-skills", /needs --package/],
  ["openai --submission-mode skills-only --package none.zip", /--package cannot be read/],
  ["claude", /Name the server/],
  ["claude $URL --submission none.yaml", /none.yaml cannot be read/],
])("%s is refused before anything is asked", async (line, words) => {
  const world = await testWorld();
  const argv = line.replace("$URL", "http://127.0.0.1:9/mcp").split(" ");
  const { exitCode, stdout, stderr } = await world.fettle("readiness", "check", ...argv);
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(words);
});

test.each([
  ["a field that is not known", "version: 1\nclaude:\n  tagine: x\n", "claude.tagine", 3],
  ["a value of another type", "version: 1\nname: [a]\n", "name", 2],
  ["a wrong version", "version: 2\n", "version", 1],
  ["a word that is none of them", "version: 1\nauthMode: magic\n", "authMode", 2],
  ["no YAML", "version: 1\nname: [\n", "", 3],
  [
    "a scan that is yet to be",
    "version: 1\nopenai:\n  scan:\n    at: 9999-01-01T00:00:00Z\n    tools: []\n",
    "openai.scan.at",
    4,
  ],
])("a profile with %s is refused with its line and path", async (_, submission, pointer, line) => {
  const world = await testWorld({ cwd: await folderWith(submission) });
  const { exitCode, stderr } = await world.fettle("readiness", "check", "claude", "http://127.0.0.1:9/mcp");
  const { error } = JSON.parse(stderr);
  expect([exitCode, error.code]).toEqual([2, "SUBMISSION_FILE_INVALID"]);
  expect(error.details.findings[0]).toMatchObject({ pointer, location: { line } });
});

test("a server that is not there is incomplete, and every report is whole", async () => {
  const world = await testWorld();
  const dead = ["readiness", "check", "claude", "https://127.0.0.1:9/mcp"];
  const { exitCode, stdout } = await world.fettle(...dead);
  expect([exitCode, JSON.parse(stdout).overallStatus]).toEqual([3, "incomplete"]);
  const human = await world.fettle(...dead, "--format", "human");
  expect(human.stdout).toContain("Nothing listens at 127.0.0.1:9.");
  const summary = await world.fettle(...dead, "--reporter", "json-summary");
  expect([summary.exitCode, JSON.parse(summary.stdout).metadata.overallStatus]).toEqual([3, "incomplete"]);
});

test("a token is sent where it belongs, never with a stranger's look, and is shown nowhere", async () => {
  const shop = await startBookshop();
  onTestFinished(() => shop.close());
  const asked: { path: string; headers: IncomingHttpHeaders }[] = [];
  const front = createPlainServer(async (request, response) => {
    asked.push({ path: request.url ?? "", headers: request.headers });
    if (request.url !== "/mcp" || request.headers.authorization === undefined) {
      return void response.writeHead(request.url === "/mcp" ? 401 : 404).end();
    }
    const { host: _host, connection: _connection, ...headers } = request.headers;
    const answer = await fetch(shop.url, {
      method: "POST",
      headers: headers as Record<string, string>,
      body: await text(request),
    });
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  }).listen(0, "127.0.0.1");
  await once(front, "listening");
  onTestFinished(() => void front.close());
  const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}/mcp`;
  const world = await testWorld();
  const proof = ["--access-token", "canary-token", "--header", "X-Shop: canary-header"];
  for (const format of ["json", "human"]) {
    const said = await world.fettle("readiness", "check", "claude", url, ...proof, "--format", format);
    expect(said.exitCode).toBe(1);
    expect(said.stdout).not.toContain("toolListing");
    expect(said.stdout + said.stderr).not.toContain("canary");
  }
  const held = asked.filter(({ headers }) => JSON.stringify(headers).includes("canary"));
  expect(held.length).toBeGreaterThan(0);
  expect(held.filter(({ path, headers }) => path !== "/mcp" || !headers.authorization)).toEqual([]);
});

test("what oauth conformance printed says which resource a sign-in names", async () => {
  const shop = await startProtectedBookshop();
  onTestFinished(() => shop.close());
  const world = await testWorld();
  const flow = ["--protocol-version", "2025-11-25", "--registration", "dcr", "--auth-mode", "headless"];
  const { stdout } = await world.fettle("oauth", "conformance", "--url", shop.url, ...flow);
  await writeFile(join(world.cwd, "oauth.json"), stdout);
  await writeFile(
    join(world.cwd, "other.json"),
    stdout.replaceAll(encodeURIComponent(shop.url), "https%3A%2F%2Fa.example"),
  );
  await writeFile(join(world.cwd, "none.json"), "{}");
  const resource = async (...more: string[]) => {
    const said = await world.fettle("readiness", "check", "claude", shop.url, ...more);
    const { findings } = JSON.parse(said.stdout);
    return findings.find(({ id }: { id: string }) => id === "claude.auth.rfc8707-resource-canonical");
  };
  expect(await resource()).toMatchObject({ status: "not-evaluated", missingInput: "authorizationRequests" });
  expect(await resource("--oauth-result", "oauth.json")).toMatchObject({ status: "satisfied" });
  expect(await resource("--oauth-result", "other.json")).toMatchObject({
    status: "violated",
    details: {
      faults: [expect.stringContaining("https://a.example"), expect.stringContaining("https://a.example")],
    },
  });
  const none = await world.fettle("readiness", "check", "claude", shop.url, "--oauth-result", "none.json");
  expect([none.exitCode, none.stderr]).toEqual([2, expect.stringContaining("holds no sign-in")]);
});
