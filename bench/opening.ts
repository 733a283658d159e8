/** @module What benches open alike: a folder, a shop, people with projects, a service that limits no key. And how times are read. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { startBookshop } from "../packages/samples/src/index.ts";
import type { App } from "../packages/service/src/core/app.ts";
import { readConfig } from "../packages/service/src/core/config/config.ts";
import { createServer } from "../packages/service/src/servers/saved/servers.ts";
import { createApp, type RunningApp } from "../packages/service/src/start/create-app.ts";
import { silentLog } from "../packages/service/src/testing/index.ts";
import {
  makeKey,
  makeMember,
  makeOrganization,
  makeProject,
} from "../packages/service/src/testing/people.ts";
import { ensureChromium } from "../scripts/chromium.mjs";
import { type ServiceProcess, startService } from "./service-process.ts";

/** Measures in a folder of its own, which is gone afterwards. */
export async function inFolder<T>(measure: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "fettle-bench-"));
  // As root the database runs as another user, who has to get through.
  await chmod(folder, 0o711);
  try {
    return await measure(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The bookshop, closed by `await using`. */
export async function openShop(): Promise<{ url: string } & AsyncDisposable> {
  const shop = await startBookshop();
  return { url: shop.url, [Symbol.asyncDispose]: () => shop.close() };
}

/** The browser that tests drive. */
export function openChromium(): Promise<Browser> {
  const executablePath = ensureChromium();
  if (!executablePath) throw new Error("No Chromium was found; CHROMIUM_PATH names one.");
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
}

/** A service in this process that works through its jobs, beside a server and models (`custom:NAME:stub`) that answer at once. */
export function withInstantModels<T>(
  names: readonly string[],
  measure: (app: RunningApp, origin: string) => Promise<T>,
): Promise<T> {
  return inFolder(async (home) => {
    const script = join(import.meta.dirname, "zero-latency.ts");
    const stub = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = await once(stub.stdout.setEncoding("utf8"), "data");
    const origin = String(line).trim();
    const custom = Object.fromEntries(
      names.map((name) => [name, { baseUrl: `${origin}/v1`, apiKey: "none" }]),
    );
    const config = join(home, "fettle.yaml");
    const models = { providers: { custom }, limits: { concurrentCalls: 64 } };
    // JSON is YAML.
    await writeFile(config, JSON.stringify({ models }));
    const env = { FETTLE_HOME: home, FETTLE_PORT: "0", FETTLE_CONFIG: config };
    const app = await createApp(readConfig({ env }), { log: silentLog });
    try {
      await app.work();
      return await measure(app, origin);
    } finally {
      await app.stop();
      stub.kill();
    }
  });
}

/** The built service with limits that no bench meets. */
export function startUnlimited(data: string): Promise<ServiceProcess> {
  return startService(data, {
    FETTLE_LIMIT_KEY_PER_MINUTE: "1000000",
    FETTLE_LIMIT_KEY_BURST: "100000",
  });
}

/** Writes what a bench needs into a data folder; `attach` while the service runs on it. */
export async function fill<T>(
  data: string,
  write: (app: App) => Promise<T>,
  ownership: "own" | "attach" = "own",
): Promise<T> {
  const app = await createApp(readConfig({ flags: { data }, env: {} }), { ownership, log: silentLog });
  try {
    return await write(app);
  } finally {
    await app.stop();
  }
}

export interface Place {
  projectId: string;
  serverId: string;
}

/** A key, and for each of `counts` a project with that many saved servers, all the same shop. */
export function fillProjects(
  data: string,
  url: string,
  counts: number[],
): Promise<{ key: string; projects: Place[] }> {
  return fill(data, async (app) => {
    const organization = await makeOrganization(app.db, "Bench");
    const person = await makeMember(app.db, organization, "owner");
    const projects: Place[] = [];
    for (const count of counts) {
      const projectId = await makeProject(app.db, organization);
      let serverId = "";
      for (let index = 0; index < count; index++) {
        const name = `shop ${index}`;
        const server = { name, enabled: true, transportType: "http" as const, url };
        serverId = (await createServer(app, app.db, projectId, person, server)).id;
      }
      projects.push({ projectId, serverId });
    }
    return { key: await makeKey(app.db, organization, person), projects };
  });
}

/** How many milliseconds it took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** The value below which this share of all lies. */
export function at(values: number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? Number.NaN;
}
