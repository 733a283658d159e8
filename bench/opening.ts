/** @module What benches open alike: a folder, a shop, people with projects, a service that limits no key. And how times are read. */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { startBookshop } from "../packages/samples/src/index.ts";
import { type App, createApp } from "../packages/service/src/app.ts";
import { readConfig } from "../packages/service/src/config.ts";
import { createServer } from "../packages/service/src/servers/servers.ts";
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
