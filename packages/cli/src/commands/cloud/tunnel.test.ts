/** @module `cloud tunnel` as a person runs it: the real command, the real service, real servers behind it. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import {
  createServer as createHttpServer,
  get as httpGet,
  type IncomingMessage,
  type RequestListener,
} from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { hostileCommand, sampleCommand, startBookshop } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { processMark } from "../../../../mcp/src/testing/processes.ts";
import { connectHttp, ERAS } from "../../../../samples/src/sdk-client.ts";
import { type CloudService, startCloudService } from "../../testing/cloud-service.ts";
import { type FettleProcess, spawnFettle } from "../../testing/process.ts";
import { temporaryFolder } from "../../testing/world.ts";

let cloud: CloudService;
beforeAll(async () => {
  cloud = await startCloudService();
});
afterAll(() => cloud?.stop());

async function runTunnel(words: string[], env: Record<string, string> = {}): Promise<FettleProcess> {
  const cwd = await temporaryFolder();
  return spawnFettle(["cloud", "tunnel", ...words], { cwd, env: { ...cloud.env, ...env } });
}

/** Patient: a process may have to be started meanwhile, on a busy machine. */
const eventually = <T>(look: () => T) => expect.poll(look, { timeout: 60_000 });

/** The start-up object of a tunnel that is open. */
const started = async (tunnel: FettleProcess) => JSON.parse(await tunnel.firstLine);

const stdio = (name: string, { command, args }: { command: string; args: string[] }, ...flags: string[]) => [
  "--server",
  name,
  ...flags,
  "--",
  command,
  ...args,
];

async function httpServer(listener: RequestListener) {
  const server = createHttpServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    [Symbol.asyncDispose]: async () => void server.close().closeAllConnections(),
  };
}

const call = (serverId: string, toolName: string, parameters: object) =>
  cloud.api(`/servers/${serverId}/tools/call`, { toolName, parameters });
const search = (serverId: string) => call(serverId, "search_books", { query: "swallows" });
const statusOf = async (url: string) => {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
  });
  await answer.body?.cancel();
  return answer.status;
};

describe("a server on stdio", () => {
  test("is called by the service; killed and run again it keeps its slug, changes its secret, and leaves nothing behind", async () => {
    const mark = processMark();
    const variables = Object.entries(mark.env).flatMap(([key, value]) => ["-e", `${key}=${value}`]);
    const words = stdio("dev", sampleCommand("bookshop"), ...variables);
    const first = await runTunnel(words);
    const before = await started(first);
    expect(before).toEqual({
      url: expect.stringMatching(new RegExp(`^${cloud.service.url}/tunnel/${before.slug}\\?k=ftk_`)),
      serverId: expect.stringMatching(/^srv_/),
      name: "dev",
      slug: expect.any(String),
      project: {
        id: cloud.projectId,
        name: expect.any(String),
        organizationId: cloud.service.organizationId,
      },
      existed: false,
      secretVersion: 1,
      target: { kind: "stdio", command: process.execPath, args: sampleCommand("bookshop").args },
    });
    const called = await search(before.serverId);
    expect([called.status, called.body.structuredContent.total, typeof called.body.durationMs]).toEqual([
      200,
      1,
      "number",
    ]);
    expect(mark.left().length).toBeGreaterThan(0);

    first.child.kill("SIGKILL");
    await first.exit;
    await eventually(() => mark.left()).toEqual([]);
    await eventually(() => statusOf(before.url)).toBe(502);
    const down = await search(before.serverId);
    expect([down.status, down.body.code]).toEqual([502, "SERVER_UNREACHABLE"]);

    const second = await runTunnel(words);
    const after = await started(second);
    expect([after.slug, after.serverId, after.existed, after.secretVersion]).toEqual([
      before.slug,
      before.serverId,
      true,
      2,
    ]);
    expect(after.url).not.toBe(before.url);
    expect(after.previousUrl).toBeUndefined();
    expect(await statusOf(before.url)).toBe(404);
    expect((await search(after.serverId)).status).toBe(200);

    second.child.kill("SIGINT");
    expect((await second.exit).code).toBe(0);
    expect(mark.left()).toEqual([]);
    expect(await statusOf(after.url)).toBe(502);
    // One document, and nothing of the status lines.
    expect(second.stdout().trim().split("\n")).toHaveLength(1);
    expect(second.stderr()).toContain("tools/call search_books 200");
  });

  test.each(ERAS)("speaks to the official client in the %s era, several at once", async (era) => {
    const tunnel = await runTunnel(stdio(`everything ${era}`, sampleCommand("everything")));
    const { url } = await started(tunnel);
    const clients = await Promise.all([connectHttp(url, era), connectHttp(url, era)]);
    const progress: number[] = [];
    const results = await Promise.all(
      clients.map((client, index) =>
        client.callTool(
          { name: "test_tool_with_progress", arguments: {} },
          { onprogress: ({ progress: done }) => index === 0 && progress.push(done) },
        ),
      ),
    );
    expect(results.map(({ isError }) => isError ?? false)).toEqual([false, false]);
    expect(progress.length).toBeGreaterThan(1);
    const lists = await Promise.all(clients.map((client) => client.listTools()));
    expect(lists[0]!.tools.length).toBeGreaterThan(5);
    expect(lists[1]!.tools).toEqual(lists[0]!.tools);
    for (const client of clients) await client.close();
    tunnel.child.kill("SIGTERM");
    expect((await tunnel.exit).code).toBe(0);
  });

  test("that dies in a call or answers more than may be passed on harms only that call", async () => {
    const dying = await runTunnel(stdio("dying", hostileCommand("death-mid-call")));
    const { serverId } = await started(dying);
    expect((await call(serverId, "echo", {})).status).toBeGreaterThanOrEqual(400);
    await dying.untilSaid("It is started again with the next call.");
    expect((await cloud.api(`/servers/${serverId}/tools`, {})).status).toBe(200);

    const huge = await runTunnel(stdio("huge", hostileCommand("huge-line")));
    const big = await started(huge);
    expect((await cloud.api(`/servers/${big.serverId}/tools`, {})).status).toBeGreaterThanOrEqual(400);
    // A call that comes while the line still runs may share its end.
    await eventually(async () => (await call(big.serverId, "echo", {})).status).toBe(200);
    // It sent a gibibyte.
    expect(peakMegabytes(huge.child.pid!)).toBeLessThan(400);
  });

  test.each([
    ["cannot be found", { command: "no-such-command-here", args: [] }, /was not found/],
    ["crashes at its start", hostileCommand("crash-at-start"), /exited with code/],
  ])("that %s opens no tunnel", async (_what, command, message) => {
    const tunnel = await runTunnel(stdio("never", command));
    expect((await tunnel.exit).code).toBe(1);
    expect(tunnel.stdout()).toBe("");
    expect(JSON.parse(tunnel.stderr().trim().split("\n").at(-1)!).error.message).toMatch(message);
    const { body } = await cloud.api("/servers");
    expect(body.items.map((server: { name: string }) => server.name)).not.toContain("never");
  });

  test("that ignores every goodbye is gone all the same", async () => {
    const mark = processMark();
    const flags = Object.entries(mark.env).flatMap(([key, value]) => ["-e", `${key}=${value}`]);
    const tunnel = await runTunnel(stdio("stubborn", hostileCommand("ignores-shutdown"), ...flags));
    await started(tunnel);
    tunnel.child.kill("SIGINT");
    expect((await tunnel.exit).code).toBe(0);
    expect(mark.left()).toEqual([]);
  });
});

describe("a server on HTTP", () => {
  test("takes the place of the saved server of that name, and one run gives way to the next", async () => {
    await using stack = new AsyncDisposableStack();
    const shop = await startBookshop();
    stack.defer(() => shop.close());
    const old = { name: "Old", transportType: "http", url: "https://old.example/mcp?key=canary" };
    const { body: saved } = await cloud.api("/servers", old);
    const words = [shop.url, "--server", "old"];
    const first = await runTunnel(words);
    const opened = await started(first);
    expect(opened).toMatchObject({
      serverId: saved.id,
      existed: true,
      previousUrl: "https://old.example/mcp?key=***",
      previousTransportType: "http",
      target: { kind: "http", url: shop.url },
    });
    expect((await search(saved.id)).status).toBe(200);
    const second = await runTunnel([...words, "--format", "human"]);
    await second.untilSaid("registered as Old");
    expect((await first.exit).code).toBe(1);
    expect(JSON.parse(first.stderr().trim().split("\n").at(-1)!).error).toMatchObject({
      code: "TUNNEL_CLOSED",
      details: { closeCode: 4001 },
    });
    expect((await search(saved.id)).status).toBe(200);
    expect(second.stdout().split("\n")[0]).toMatch(/^✓ http.*\?k=ftk_/);
  });

  test("is reached again when the connection to the service was lost", async () => {
    await using stack = new AsyncDisposableStack();
    const shop = await startBookshop();
    stack.defer(() => shop.close());
    const way = await breakableWay(new URL(cloud.service.url).port);
    stack.defer(way.close);
    const tunnel = await runTunnel([shop.url, "--server", "shaky"], { FETTLE_API_URL: way.url });
    const { serverId } = await started(tunnel);
    expect((await search(serverId)).status).toBe(200);
    way.break();
    await tunnel.untilSaid("Connected again.");
    expect((await search(serverId)).status).toBe(200);
  });

  test("gets a new address when the machine was away for longer than its grant", async () => {
    await using stack = new AsyncDisposableStack();
    const shop = await startBookshop();
    stack.defer(() => shop.close());
    const way = await breakableWay(new URL(cloud.service.url).port);
    stack.defer(way.close);
    const tunnel = await runTunnel([shop.url, "--server", "away", "--quiet"], { FETTLE_API_URL: way.url });
    const before = await started(tunnel);
    await cloud.sql(`UPDATE tunnels SET connect_token_hash = 'forgotten' WHERE slug = '${before.slug}'`);
    way.break();
    await tunnel.untilSaid("The address has changed: ");
    const [changed] = /http\S+/.exec(tunnel.stderr()) ?? [];
    expect(changed).toContain(`/tunnel/${before.slug}?k=ftk_`);
    expect(await statusOf(before.url)).toBe(404);
    await eventually(async () => (await search(before.serverId)).status).toBe(200);
  });

  test("is not reached again with a key that was revoked meanwhile", async () => {
    await using stack = new AsyncDisposableStack();
    const shop = await startBookshop();
    stack.defer(() => shop.close());
    const way = await breakableWay(new URL(cloud.service.url).port);
    stack.defer(way.close);
    const tunnel = await runTunnel([shop.url, "--server", "outlived"], { FETTLE_API_URL: way.url });
    const { slug } = await started(tunnel);
    const opener = `id = (SELECT opened_with FROM tunnels WHERE slug = '${slug}')`;
    await cloud.sql(`UPDATE api_keys SET revoked_at = now() WHERE ${opener}`);
    stack.defer(async () => void (await cloud.sql(`UPDATE api_keys SET revoked_at = NULL WHERE ${opener}`)));
    way.break();
    expect((await tunnel.exit).code).toBe(1);
    expect(tunnel.stderr()).not.toContain("Connected again.");
    expect(JSON.parse(tunnel.stderr().trim().split("\n").at(-1)!).error).toMatchObject({
      code: "TUNNEL_CLOSED",
      message: expect.stringContaining("was revoked"),
      details: { closeCode: 4003 },
    });
  });

  test("answers others while somebody leaves a large answer unread, and that one comes whole in the end", async () => {
    // More than all the buffers on the way hold together.
    const piece = Buffer.alloc(64 * 1024, "0123456789abcdef");
    const pieces = 1024;
    let isLargeSent = false;
    await using server = await httpServer(async (request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      if (!request.url!.includes("large")) return void response.end("{}");
      for (let n = 0; n < pieces; n++) if (!response.write(piece)) await once(response, "drain");
      isLargeSent = true;
      response.end();
    });
    const tunnel = await runTunnel(["--server", "slow reader", server.url]);
    const { url } = await started(tunnel);
    const large = await new Promise<IncomingMessage>((resolve, reject) => {
      httpGet(`${url}&large=1`, { agent: false }, resolve).once("error", reject);
    });
    for (let n = 0; n < 20; n++) {
      expect(await (await fetch(url, { method: "POST", body: "x".repeat(200_000) })).json()).toEqual({});
    }
    expect(isLargeSent).toBe(false);
    let length = 0;
    for await (const chunk of large) length += chunk.length;
    expect(length).toBe(pieces * piece.length);
    tunnel.child.kill("SIGTERM");
    await tunnel.exit;
  });

  test("that answers with what HTTP cannot pass on gets a 502 for that call, and the tunnel stays", async () => {
    const answers = [
      "HTTP/1.1 999 Foo\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
      "HTTP/1.1 101 Switching Protocols\r\n\r\n",
      "HTTP/1.1 000 Nothing\r\nContent-Length: 0\r\n\r\n",
    ];
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    const server = createServer((socket) =>
      socket.on("error", () => {}).on("data", () => socket.write(answer)),
    );
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const tunnel = await runTunnel(["--server", "strange", `http://127.0.0.1:${port}/mcp`]);
    const { url } = await started(tunnel);
    for (answer of answers) {
      const told = await fetch(url, { method: "POST", body: "{}" });
      expect([told.status, await told.json()], answer).toMatchObject([
        502,
        { code: "SERVER_UNREACHABLE", details: { reason: "TUNNEL_UPSTREAM_ERROR" } },
      ]);
    }
    expect(tunnel.stderr()).toContain("999");
    expect(tunnel.stderr()).not.toContain("was lost");
    server.close();
  });

  test("behind a command that is suspended: the tunnel is named, soon, and works again when it goes on", async () => {
    await using shop = await startBookshop().then((it) => ({
      ...it,
      [Symbol.asyncDispose]: () => it.close(),
    }));
    const tunnel = await runTunnel([shop.url, "--server", "frozen"]);
    const { serverId, url } = await started(tunnel);
    expect((await search(serverId)).status).toBe(200);
    tunnel.child.kill("SIGSTOP");
    const silent = await search(serverId);
    expect([silent.status, silent.body]).toMatchObject([
      502,
      {
        code: "SERVER_UNREACHABLE",
        details: { reason: "TUNNEL_SILENT", hint: expect.stringContaining("suspended") },
      },
    ]);
    const direct = await fetch(url, { method: "POST", body: "{}" });
    expect([direct.status, await direct.json()]).toMatchObject([
      502,
      { details: { reason: "TUNNEL_SILENT" } },
    ]);
    tunnel.child.kill("SIGCONT");
    await eventually(async () => (await search(serverId)).status).toBe(200);
    expect(tunnel.stderr()).not.toContain("was lost");
  });

  test("that is removed ends its tunnel", async () => {
    await using stack = new AsyncDisposableStack();
    const shop = await startBookshop();
    stack.defer(() => shop.close());
    const tunnel = await runTunnel([shop.url, "--server", "removed"]);
    const { serverId } = await started(tunnel);
    await cloud.cloud(["projects", "servers", "remove", "--server", serverId, "--yes"]);
    expect((await tunnel.exit).code).toBe(1);
    expect(JSON.parse(tunnel.stderr().trim().split("\n").at(-1)!).error.code).toBe("TUNNEL_CLOSED");
  });

  test("that is not there yet is said not to be, and the tunnel opens all the same", async () => {
    const tunnel = await runTunnel(["http://127.0.0.1:9/mcp", "--server", "later"]);
    const { serverId } = await started(tunnel);
    expect(tunnel.stderr()).toContain("calls fail until it answers");
    expect((await search(serverId)).body.code).toBe("SERVER_UNREACHABLE");
  });
});

test.each([
  ["no target", ["--server", "x"], "Say what to open the tunnel to"],
  ["no name", ["http://127.0.0.1:9/mcp"], "--server is required"],
  ["an address and a command", ["http://127.0.0.1:9/mcp", "--server", "x", "--", "node"], "not both"],
  [
    "variables for an address",
    ["http://127.0.0.1:9/mcp", "--server", "x", "-e", "A=1"],
    "only go with a command",
  ],
  [
    "a folder for an address",
    ["http://127.0.0.1:9/mcp", "--server", "x", "--cwd", "/"],
    "only go with a command",
  ],
  ["a variable without a value", ["--server", "x", "-e", "A", "--", "node"], "KEY=VALUE"],
])("%s is a usage error", async (_what, words, message) => {
  const { exitCode, body } = await cloud.cloud(["tunnel", ...words]);
  expect([exitCode, body.code]).toEqual([2, "USAGE_ERROR"]);
  expect(body.message).toContain(message);
});

/** The most memory a process has held so far. */
function peakMegabytes(pid: number): number {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

/** A way to the service that can be cut, and is whole again at once. */
async function breakableWay(port: string) {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), "127.0.0.1");
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on("close", () => open.delete(socket)).on("error", () => {});
    }
    near.pipe(far).pipe(near);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address() as { port: number };
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    break: cut,
    close: async () => {
      cut();
      server.close();
    },
  };
}
