/** @module Kills the real service, or the PostgreSQL under it, while projects are being made over HTTP, and counts what is left. */
import { readFileSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type FettleProcess, spawnFettle } from "../../packages/cli/src/testing/process.ts";
import { processesNaming } from "../../packages/service/src/testing/process.ts";

export type Victim = "service" | "database";

export interface Survey {
  acknowledged: number;
  /** Acknowledged and not found afterwards: must be none. */
  lost: string[];
  /** Processes still alive after the last stop: must be none. */
  left: string[];
}

interface Started {
  process: FettleProcess;
  url: string;
  key: string;
  organizationId: string;
}

/** `databaseUrl` given: on that server, whose processes are not ours to kill. */
export async function killUnderWrites(options: {
  rounds: number;
  victim: Victim;
  databaseUrl?: string;
}): Promise<Survey> {
  const { rounds, victim, databaseUrl } = options;
  const home = await mkdtemp(join(tmpdir(), "fettle-kill-"));
  // As root the database runs as another user, who has to get through.
  await chmod(home, 0o711);
  const data = join(home, "data");
  const acknowledged = new Set<string>();
  let service = await start(home, data, databaseUrl);
  for (let round = 0; round < rounds; round++) {
    await writeUntil(service, acknowledged, acknowledged.size + 25);
    const writing = new AbortController();
    const stream = writeUntil(service, acknowledged, Number.POSITIVE_INFINITY, writing.signal);
    await writeMore(acknowledged, 10);
    if (victim === "service") {
      service.process.child.kill("SIGKILL");
      await service.process.exit;
      service = await start(home, data, databaseUrl);
    } else {
      process.kill(postmasterOf(data), "SIGKILL");
      // The service brings it back by itself; writes go on against the same process.
      await writeMore(acknowledged, 10);
    }
    writing.abort();
    await stream;
  }
  const lost = await findLost(service, acknowledged);
  service.process.child.kill("SIGTERM");
  await service.process.exit;
  const left = await whenGone(home);
  await rm(home, { recursive: true, force: true });
  return { acknowledged: acknowledged.size, lost, left };
}

async function start(home: string, data: string, databaseUrl: string | undefined): Promise<Started> {
  const process = spawnFettle(["serve", "--sample", "--port", "0", "--data", data, "--format", "json"], {
    cwd: home,
    env: {
      FETTLE_LIMIT_KEY_PER_MINUTE: "1000000",
      FETTLE_LIMIT_KEY_BURST: "100000",
      ...(databaseUrl && { DATABASE_URL: databaseUrl, FETTLE_SECRET_KEY: "k".repeat(32) }),
    },
  });
  const said: { url: string; apiKey: string; organizationId: string } = JSON.parse(await process.firstLine);
  return { process, url: said.url, key: said.apiKey, organizationId: said.organizationId };
}

/** Makes one project after the other; only an answered one counts. A fault is what the test is about, so it goes on. */
async function writeUntil(
  { url, key }: Started,
  acknowledged: Set<string>,
  count: number,
  signal?: AbortSignal,
): Promise<void> {
  while (acknowledged.size < count && !signal?.aborted) {
    try {
      const answer = await fetch(`${url}/api/v1/projects`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ name: "written" }),
      });
      const { id } = (await answer.json()) as { id: string };
      if (answer.status === 201) acknowledged.add(id);
    } catch {
      await delay(20);
    }
  }
}

async function writeMore(acknowledged: Set<string>, more: number): Promise<void> {
  const goal = acknowledged.size + more;
  const deadline = Date.now() + 30_000;
  while (acknowledged.size < goal) {
    if (Date.now() > deadline) throw new Error("no write was acknowledged for 30 s");
    await delay(5);
  }
}

async function findLost({ url, key }: Started, acknowledged: Set<string>): Promise<string[]> {
  const answer = await fetch(`${url}/api/v1/projects`, { headers: { authorization: `Bearer ${key}` } });
  const { items } = (await answer.json()) as { items: { id: string }[] };
  const found = new Set(items.map(({ id }) => id));
  return [...acknowledged].filter((id) => !found.has(id));
}

const postmasterOf = (data: string) =>
  Number(readFileSync(join(data, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);

async function whenGone(folder: string): Promise<string[]> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const left = processesNaming(folder).map(({ command }) => command);
    if (left.length === 0 || Date.now() > deadline) return left;
    await delay(50);
  }
}
