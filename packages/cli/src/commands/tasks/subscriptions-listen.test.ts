/** @module `subscriptions listen`, ended: by Ctrl-C before and after a server agreed, and by a time in which none did. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startEverything } from "@fettle/samples";
import { expect, test } from "vitest";
import { hangingServers } from "../../testing/hanging-servers.ts";
import { spawnFettle } from "../../testing/process.ts";
import { temporaryFolder, testWorld } from "../../testing/world.ts";

const listen = ["subscriptions", "listen", "--list-changed", "--format", "json"];

test("the first Ctrl-C ends it while it is still connecting", async () => {
  await using server = await hangingServers["never says a word"]();
  const asked = Promise.withResolvers<void>();
  server.onConnection?.(asked.resolve);
  const fettle = spawnFettle([...listen, ...server.flags], { cwd: await temporaryFolder() });
  await asked.promise;
  fettle.child.kill("SIGINT");
  expect(await fettle.exit).toEqual({ code: 130, signal: null });
  expect(JSON.parse(fettle.stdout())).toEqual({ event: "ended", outcome: "cancelled", notifications: 0 });
});

test("Ctrl-C is the normal end of listening, and no failure", async () => {
  const shop = await startEverything();
  try {
    const fettle = spawnFettle([...listen, "--url", shop.url], { cwd: await temporaryFolder() });
    expect(JSON.parse(await fettle.firstLine)).toMatchObject({ event: "acknowledged" });
    fettle.child.kill("SIGINT");
    expect(await fettle.exit).toEqual({ code: 0, signal: null });
    expect(JSON.parse(fettle.stdout().trim().split("\n").at(-1)!)).toEqual({
      event: "ended",
      // A server that hears of it in time says goodbye.
      outcome: expect.stringMatching(/^(cancelled|graceful)$/),
      notifications: 0,
    });
  } finally {
    await shop.close();
  }
});

test("a duration in which nobody agreed to be listened to is a failure", async () => {
  await using server = await hangingServers["never says a word"]();
  const { fettle } = await testWorld();
  const { stdout, exitCode } = await fettle(...listen, ...server.flags, "--duration-ms", "300");
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    event: "ended",
    outcome: "error",
    error: { code: "TIMEOUT", message: expect.stringContaining("--duration-ms") },
  });
});

/** Speaks one revision, and offers nothing but tools that never change. */
async function unchanging(version: "2025-11-25" | "2026-07-28", offered: object = {}) {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method } = JSON.parse(body);
    if (id === undefined) return void response.writeHead(202).end();
    const answer = (message: object) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, ...message }));
    };
    const serverInfo = { name: "still", version: "1" };
    if (version === "2025-11-25" && method === "initialize") {
      answer({ result: { protocolVersion: version, capabilities: { tools: offered }, serverInfo } });
    } else if (version === "2026-07-28" && method === "server/discover") {
      const capabilities = { tools: offered };
      answer({ result: { resultType: "complete", supportedVersions: [version], capabilities, serverInfo } });
    } else if (version === "2026-07-28" && method === "subscriptions/listen") {
      const _meta = { "io.modelcontextprotocol/subscriptionId": id };
      const params = { _meta, notifications: {} };
      const acknowledged = { jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged", params };
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`data: ${JSON.stringify(acknowledged)}\n\n`);
    } else answer({ error: { code: -32601, message: "Method not found" } });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

test.each(["2025-11-25", "2026-07-28"] as const)(
  "what a server of %s never offered is not acknowledged: it is said plainly, and nobody waits",
  async (version) => {
    await using server = await unchanging(version);
    const { fettle } = await testWorld();
    const run = ["--url", server.url, "--resource-uri", "a://b"];
    const { stdout, stderr, exitCode } = await fettle(...listen, ...run);
    expect(exitCode).toBe(1);
    expect(stdout).toBe("");
    expect(JSON.parse(stderr).error).toMatchObject({
      code: "OPERATIONAL_ERROR",
      message:
        "There is nothing to listen for: the server does not offer to tell of changes of the tools, changes of the prompts, changes of the resources, a://b.",
    });
  },
);

test("what is offered in part is listened for, and the rest is named", async () => {
  await using server = await unchanging("2025-11-25", { listChanged: true });
  const { fettle } = await testWorld();
  const { stderr, exitCode } = await fettle(
    ...["subscriptions", "listen", "--list-changed", "--url", server.url],
    ...["--duration-ms", "500", "--format", "human"],
  );
  expect(exitCode).toBe(0);
  expect(stderr).toContain("Listening for changes of the tools. Ctrl-C stops.");
  expect(stderr).toContain("does not offer to tell of changes of the prompts, changes of the resources.");
});
