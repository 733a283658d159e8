/** @module What the golden lines are typed against: a real service with its sample, sample servers, and one folder to stand in. */
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startBookshop, startEverything, startProtectedBookshop } from "@fettle/samples";
import { testDatabase } from "@fettle/service/testing";
import { run } from "../run.ts";
import { type CloudService, startCloudService } from "./cloud-service.ts";
import { testWorld } from "./world.ts";

/** A port that nobody listens on. */
const dead = "http://127.0.0.1:1/mcp";

export interface Ran {
  stdout: string;
  stderr: string;
  exitCode: number;
}

export interface Stage {
  /** By the name a row writes with a dollar. */
  names: Record<string, string>;
  home: string;
  cwd: string;
  run(
    argv: readonly string[],
    options?: { until?: RegExp | undefined; env?: Record<string, string> },
  ): Promise<Ran>;
}

export async function openStage(): Promise<Stage & AsyncDisposable> {
  const [shop, everything, guarded, cloud, home, cwd] = await Promise.all([
    startBookshop(),
    startEverything({ tasksAwaitLook: true }),
    startProtectedBookshop(),
    startCloudService(),
    mkdtemp(join(tmpdir(), "fettle-home-")),
    mkdtemp(join(tmpdir(), "fettle-cwd-")),
  ]);
  await sampleIsPlayed(cloud);
  const page = createServer((_, response) =>
    response.setHeader("content-type", "text/html").end("<p>Hello</p>"),
  );
  await once(page.listen(0, "127.0.0.1"), "listening");
  const names: Record<string, string> = {
    SHOP: shop.url,
    EVERYTHING: everything.url,
    GUARDED: guarded.url,
    PAGE: `http://127.0.0.1:${(page.address() as AddressInfo).port}/`,
    DEAD: dead,
    DATA: join(cwd, "service"),
    ORIGIN: cloud.service.url,
    PROJECT: cloud.projectId,
    SERVER: cloud.service.serverId!,
  };
  await writeFiles(cwd, shop.url, guarded.url);
  // Services that a line starts have one of their own: two with different keys would take each other's jobs.
  const apart = await testDatabase();
  const envOf = ([word]: readonly string[]) => ({
    ...cloud.env,
    DATABASE_URL: word === "admin" ? cloud.databaseUrl : apart.url.reveal(),
  });
  return {
    names,
    home,
    cwd,
    run: (argv, options = {}) =>
      runOnce(argv, { home, cwd, env: { ...envOf(argv), ...options.env }, until: options.until }),
    async [Symbol.asyncDispose]() {
      page.close();
      await Promise.all([shop.close(), everything.close(), guarded.close(), cloud.stop(), apart.close()]);
      for (const folder of [home, cwd]) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Its suite is made and run by itself after the start: what lists say must not depend on how soon. */
async function sampleIsPlayed({ service, projectId, env }: CloudService): Promise<void> {
  const address = `${service.url}/api/v1/projects/${projectId}/eval-runs`;
  const headers = { authorization: `Bearer ${env.FETTLE_API_KEY}` };
  for (const until = Date.now() + 60_000; Date.now() < until; await delay(100)) {
    const answer = await fetch(address, { headers });
    const { items: runs } = (await answer.json()) as { items: { status: string }[] };
    if (runs.length === 2 && runs.every(({ status }) => status === "completed")) return;
  }
  throw new Error("The sample's suite was not run.");
}

async function writeFiles(cwd: string, shop: string, guarded: string): Promise<void> {
  const files = {
    "page.html": "<p>Hello</p>\n",
    "image.yaml": `base: debian:13@sha256:${"ab".repeat(32)}\n`,
    ".mcp.json": { mcpServers: { imported: { url: shop } } },
    "apps.json": { target: { url: shop }, runs: [{}] },
    "protocol.json": { serverUrl: shop, runs: [{ checkIds: ["server-initialize"] }] },
    "oauth.json": {
      serverUrl: guarded,
      flows: [{ protocolVersion: "2025-11-25", registrationStrategy: "dcr", auth: { mode: "headless" } }],
    },
    "suite.json": {
      schemaVersion: "1",
      mode: "agentWorkflow",
      reportingMode: "standard",
      suite: { id: "s_one", name: "One" },
      target: { servers: [{ name: "Bookshop" }] },
      defaults: { model: "fettle/rules-1", repetitions: 1, passThreshold: 1, validity: {} },
      cases: [
        {
          id: "c_one",
          title: "One call",
          steps: [
            { id: "call", kind: "toolCall", serverName: "Bookshop", toolName: "list_orders", arguments: {} },
          ],
        },
      ],
    },
  };
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(cwd, name), typeof content === "string" ? content : JSON.stringify(content));
  }
}

async function runOnce(
  argv: readonly string[],
  {
    until,
    ...options
  }: { home: string; cwd: string; env: Record<string, string>; until?: RegExp | undefined },
): Promise<Ran> {
  const world = await testWorld({ ...options, stdin: "" });
  const said = { stdout: "", stderr: "" };
  const heardBefore = process.listeners("SIGTERM");
  let isStopping = false;
  const sink = (name: keyof typeof said) => ({
    write(chunk: string) {
      said[name] += chunk;
      const address = /^http\S+\/cli\/authorize\S+$/m.exec(chunk)?.[0];
      if (address) fetch(address).catch(() => {});
      if (isStopping || !until?.test(chunk)) return;
      // Once: a second signal would end the process at once.
      isStopping = true;
      // Those of this run alone: the test's own process goes on.
      const heard = process.listeners("SIGTERM").filter((listener) => !heardBefore.includes(listener));
      setImmediate(() => {
        for (const listener of heard) listener("SIGTERM");
      });
    },
  });
  const exitCode = await run(argv, { ...world, stdout: sink("stdout"), stderr: sink("stderr") });
  return { ...said, exitCode };
}
