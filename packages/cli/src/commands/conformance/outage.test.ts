/** @module Outage is never a verdict, on every suite: a server that is not there is exit 3, and a whole report that says so. */
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import type { SuiteReport } from "@fettle/checks";
import { startBookshop, startEverything, startStateless } from "@fettle/samples";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { testWorld } from "../../testing/world.ts";

let everything: { url: string; close(): Promise<void> };
let bare: { url: string; close(): Promise<void> };
beforeAll(async () => {
  [everything, bare] = await Promise.all([startEverything(), startStateless()]);
});
afterAll(() => Promise.all([everything.close(), bare.close()]));

const dead = "http://127.0.0.1:9/mcp";
const flow = { protocolVersion: "2025-11-25", registrationStrategy: "dcr", auth: { mode: "headless" } };

/** Every command that judges, and its file where it has one. */
const suites: Record<string, { flags?: string[]; file?: object }> = {
  "protocol conformance": { flags: ["--url", dead] },
  "protocol conformance-suite": { file: { serverUrl: dead, runs: [{ label: "a" }, { label: "b" }] } },
  "apps conformance": { flags: ["--url", dead] },
  "apps conformance-suite": { file: { target: { url: dead }, runs: [{ label: "a" }, { label: "b" }] } },
  "tasks conformance": { flags: ["--url", dead] },
  "conformance run": { flags: ["--url", dead, "--suite", "protocol", "--suite", "apps", "--suite", "oauth"] },
  "oauth conformance": {
    flags: [
      "--url",
      dead,
      "--protocol-version",
      "2025-11-25",
      "--registration",
      "dcr",
      "--auth-mode",
      "headless",
    ],
  },
  "oauth conformance-suite": { file: { serverUrl: dead, flows: [flow] } },
};

test.each(Object.entries(suites))("%s of a dead server", async (name, { flags = [], file }) => {
  const { fettle, cwd } = await testWorld();
  const path = join(cwd, "suite.json");
  if (file) await writeFile(path, JSON.stringify(file));
  const argv = [...name.split(" "), ...(file ? ["--config", path] : flags)];

  const plain = await fettle(...argv, "--format", "json");
  expect(plain.exitCode).toBe(3);
  expect(JSON.parse(plain.stdout)).toMatchObject({ outcome: "incomplete" });
  expect(plain.stdout).toContain("Nothing listens at 127.0.0.1:9.");

  const summary = await fettle(...argv, "--reporter", "json-summary");
  expect(summary.exitCode).toBe(3);
  expect(JSON.parse(summary.stdout)).toMatchObject({
    passed: false,
    outcome: "incomplete",
    score: { score: null, passed: 0, failed: 0 },
  });

  const junit = await fettle(...argv, "--reporter", "junit-xml");
  expect(junit.exitCode).toBe(3);
  expect(junit.stdout).toContain("<error ");
  expect(junit.stdout).not.toContain("<failure");
  expect(junit.stdout.trim()).toMatch(/<\/testsuites>$/);

  const human = await fettle(...argv, "--format", "human");
  expect(human.exitCode).toBe(3);
  expect(human.stdout).toContain("Nothing listens at 127.0.0.1:9.");
  expect(human.stdout).not.toMatch(/\bpassed$/m);
});

/** Passes bytes on to the server, and after so many connections is gone as a killed one is. */
async function dyingAfter(url: string, connections: number): Promise<{ url: string } & AsyncDisposable> {
  const { hostname, port, pathname } = new URL(url);
  const sockets = new Set<Socket>();
  let seen = 0;
  const proxy = createServer((socket) => {
    if (++seen > connections) {
      proxy.close();
      for (const open of [...sockets, socket]) open.destroy();
      return;
    }
    const onward = connect(Number(port), hostname);
    for (const end of [socket, onward]) sockets.add(end.on("error", () => {}));
    socket.pipe(onward).pipe(socket);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${pathname}`,
    async [Symbol.asyncDispose]() {
      proxy.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const halfWay = ["protocol", "apps", "tasks"].flatMap((kind) =>
  [1, 2, 3, 5, 8, 13].map((count) => [kind, count] as const),
);

test.each(halfWay)("%s conformance of a server that dies after %i connections", async (kind, count) => {
  const { fettle } = await testWorld();
  await using dying = await dyingAfter(everything.url, count);
  const run = [kind, "conformance", "--url", dying.url, "--protocol-version", "2025-11-25"];
  const { stdout, exitCode } = await fettle(...run, "--reporter", "json-summary");
  const { outcome, score, groups } = JSON.parse(stdout) as SuiteReport;
  const cases = groups.flatMap((group) => group.cases);
  expect(cases.filter(({ status }) => status === "failed")).toEqual([]);
  // It may have been done before the server went.
  if (outcome === "incomplete") {
    expect({ exitCode, score: score?.score }).toEqual({ exitCode: 3, score: null });
    expect(cases.some(({ isOutage }) => isOutage)).toBe(true);
  } else {
    expect({ exitCode, outcomes: ["passed", "not-applicable"].includes(outcome) }).toEqual({
      exitCode: 0,
      outcomes: true,
    });
  }
});

test.each([
  ["apps", [], "--require-ui"],
  ["tasks", [], "--require-tasks"],
  [
    "oauth",
    ["--protocol-version", "2025-11-25", "--registration", "dcr", "--auth-mode", "headless"],
    "--require-auth",
  ],
  ["protocol", ["--check-id", "stdio-clean-stdout"], "--require-checks"],
])(
  "%s conformance of a server that has no such thing: nothing to test, and exit 1 for those who require it",
  async (kind, more, required) => {
    const { fettle } = await testWorld();
    const run = [kind, "conformance", "--url", (kind === "tasks" ? bare : everything).url, ...more];
    const plain = await fettle(...run, "--format", "json");
    expect(plain.exitCode).toBe(0);
    expect(JSON.parse(plain.stdout)).toMatchObject({
      passed: false,
      outcome: "not-applicable",
      score: { score: null },
      summary: expect.stringContaining("Nothing to test"),
    });
    expect((await fettle(...run, "--format", "human")).stdout).toMatch(/nothing to test|Nothing to test/);
    // What is required and absent is exit 1, and every report says so: it is no failure of the server's, and no score either.
    const whole = ["conformance", "run", "--suite", kind, ...run.slice(2, 4), required];
    for (const argv of [[...run, required], ...(kind === "protocol" ? [] : [whole])]) {
      const strict = await fettle(...argv, "--format", "json");
      expect(strict.exitCode).toBe(1);
      expect(strict.stderr).toContain(required);
      expect(JSON.parse(strict.stdout)).toMatchObject({ outcome: "not-applicable", score: { score: null } });
      const summary = await fettle(...argv, "--reporter", "json-summary");
      expect(summary.exitCode).toBe(1);
      expect(JSON.parse(summary.stdout)).toMatchObject({
        passed: false,
        outcome: "not-applicable",
        score: { score: null },
        groups: [{ unmet: expect.stringContaining(required) }],
      });
      const junit = await fettle(...argv, "--reporter", "junit-xml");
      expect(junit.exitCode).toBe(1);
      expect(junit.stdout).toMatch(/<testsuites [^>]*failures="1"/);
      expect(junit.stdout.match(/<failure type="required" message="/g)).toHaveLength(1);
      const human = await fettle(...argv, "--format", "human");
      expect(human.exitCode).toBe(1);
      expect(human.stdout + human.stderr).toContain(required);
    }
  },
);

test("conformance run --require-checks is exit 1 where no check of any suite applies, and else says nothing", async () => {
  const { fettle } = await testWorld();
  const run = ["conformance", "run", "--suite", "tasks", "--require-checks"];
  const nothing = await fettle(...run, "--url", bare.url, "--reporter", "junit-xml");
  expect(nothing.exitCode).toBe(1);
  expect(nothing.stdout).toMatch(/<testsuites [^>]*failures="1"/);
  const something = await fettle(...run, "--url", everything.url, "--reporter", "junit-xml");
  expect(something.stdout).not.toContain('type="required"');
});

test("compat of a dead server is incomplete, with the reason", async () => {
  const { fettle } = await testWorld();
  const { exitCode, stderr } = await fettle("compat", "--url", dead, "--format", "json");
  expect(exitCode).toBe(3);
  expect(JSON.parse(stderr.trim().split("\n").at(-1)!)).toMatchObject({
    error: { code: "SERVER_UNREACHABLE" },
  });
});

test("compat that learned nothing of the tools is incomplete", async () => {
  const server = createHttpServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { id, method, params } = body === "" ? {} : JSON.parse(body);
    if (id === undefined) return void response.writeHead(request.method === "POST" ? 202 : 405).end();
    const opening = {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "x", version: "1" },
    };
    const said =
      method === "initialize" ? { result: opening } : { error: { code: -32603, message: "no backend" } };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...said }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { fettle } = await testWorld();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const { exitCode } = await fettle("compat", "--url", url, "--format", "json");
  expect(exitCode).toBe(3);
});

test.each([
  ["server surface check", ["--lock", "lock.json"]],
  ["server diff", ["--baseline", "lock.json"]],
])("%s of a dead server tells nothing of its surface: exit 3", async (name, flags) => {
  const shop = await startBookshop();
  const { fettle } = await testWorld();
  await fettle("server", "surface", "lock", "--url", shop.url, "--lock", "lock.json");
  await shop.close();
  const { exitCode, stderr } = await fettle(...name.split(" "), "--url", shop.url, ...flags);
  expect(exitCode).toBe(3);
  expect(JSON.parse(stderr).error).toMatchObject({ code: "SERVER_UNREACHABLE", hint: expect.any(String) });
});
