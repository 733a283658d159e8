/** @module How fast the service answers against a bare handler, how soon it is ready, and what it holds when idle. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { App } from "../packages/service/src/core/app.ts";
import {
  makeKey,
  makeMember,
  makeOrganization,
  makeProject,
} from "../packages/service/src/testing/people.ts";
import type { Bench, Row } from "./bench.ts";
import type { Load, Measured } from "./load.ts";
import { memoryOfTree } from "./memory.ts";
import { at, fill, inFolder } from "./opening.ts";
import { type ServiceProcess, startService } from "./service-process.ts";

const keyCount = 2_000;
const projectCount = 20;
const rounds = 3;
const connections = 32;
const seconds = 4;

export const httpBench: Bench = { name: "http", run: () => inFolder(measureProjects) };

/** From the start of the process to the first yes of /readyz. */
export const openingBench: Bench = { name: "opening", run: () => inFolder(measureStart) };

export const memoryBench: Bench = { name: "memory", run: () => inFolder(measureIdle) };

async function measureStart(home: string): Promise<Row[]> {
  const fresh: number[] = [];
  const existing: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const data = join(home, `start-${round}`);
    for (const times of [fresh, existing]) {
      const service = await startService(data);
      times.push(service.readyMs);
      await service.stop();
    }
  }
  return [
    {
      what: "start to /readyz, fresh data folder",
      value: median(fresh),
      unit: "ms",
      goal: { atMost: 1_500 },
    },
    {
      what: "start to /readyz, existing data folder",
      value: median(existing),
      unit: "ms",
      goal: { atMost: 600 },
    },
  ];
}

async function measureIdle(home: string): Promise<Row[]> {
  const data = join(home, "data");
  // What a first start needs alone is not what an idle service holds.
  await (await startService(data)).stop();
  const service = await startService(data);
  await delay(3_000);
  const memory = memoryOfTree([service.pid, postmasterOf(data)]);
  await service.stop();
  if (memory === undefined) return [];
  return [
    { what: "idle memory of serve with its database", value: memory, unit: "MiB", goal: { atMost: 130 } },
  ];
}

function postmasterOf(data: string): number {
  return Number(readFileSync(join(data, "postgres", "postmaster.pid"), "utf8").split("\n", 1)[0]);
}

async function measureProjects(home: string): Promise<Row[]> {
  const data = join(home, "start-0");
  const service = await startService(data);
  try {
    const keys = await fillKeys(data);
    const bare = await startBare(data);
    const ours: Measured[] = [];
    const theirs: Measured[] = [];
    const load = { keys, connections, seconds };
    await generate({ ...load, ...addressOf(service.url), path: "/api/v1/projects", seconds: 2 });
    await generate({ ...load, ...addressOf(bare.url), path: "/projects", seconds: 2 });
    // In turns, so that whatever else the machine does meets both.
    for (let round = 0; round < rounds; round++) {
      ours.push(await generate({ ...load, ...addressOf(service.url), path: "/api/v1/projects" }));
      theirs.push(await generate({ ...load, ...addressOf(bare.url), path: "/projects" }));
    }
    bare.stop();
    const refused = ours.reduce((sum, measured) => sum + measured.refused, 0);
    if (refused > 0) throw new Error(`${refused} calls were not answered with 200; the figures mean nothing`);
    const medianOf = (all: readonly Measured[]) => median(all.map(({ perSecond }) => perSecond));
    const [own, yardstick] = [medianOf(ours), medianOf(theirs)];
    return [
      { what: "GET /projects", value: own, unit: "req/s" },
      { what: "GET /projects, bare handler with the same SQL", value: yardstick, unit: "req/s" },
      {
        what: "share of the bare handler",
        value: (100 * own) / yardstick,
        unit: "%",
        goal: { atLeast: 70 },
      },
      { what: "GET /projects, p99", value: median(ours.map(({ p99Ms }) => p99Ms)), unit: "ms" },
      {
        what: "GET /projects, bare handler, p99",
        value: median(theirs.map(({ p99Ms }) => p99Ms)),
        unit: "ms",
      },
    ];
  } finally {
    await service.stop();
  }
}

/** Enough keys that none meets its limit: the limit is part of what is measured. */
function fillKeys(data: string): Promise<string[]> {
  const write = async (app: App) => {
    const organization = await makeOrganization(app.db);
    const person = await makeMember(app.db, organization, "member");
    for (let index = 0; index < projectCount; index++) await makeProject(app.db, organization);
    const keys: string[] = [];
    for (let index = 0; index < keyCount; index++) {
      keys.push(await makeKey(app.db, organization, person, { lastUsedAt: new Date() }));
    }
    return keys;
  };
  return fill(data, write, "attach");
}

async function startBare(data: string): Promise<{ url: string; stop(): void }> {
  const env = { ...process.env, FETTLE_DATA: data, FETTLE_LOG_LEVEL: "error" };
  const child = fork(join(import.meta.dirname, "bare-projects.ts"), { env });
  const [url] = (await once(child, "message")) as [string];
  return { url, stop: () => child.disconnect() };
}

async function generate(load: Load): Promise<Measured> {
  const child = fork(join(import.meta.dirname, "load.ts"));
  child.send(load);
  const [measured] = (await once(child, "message")) as [Measured];
  return measured;
}

function addressOf(url: ServiceProcess["url"]): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}

function median(values: number[]): number {
  return at(values, 0.5);
}
