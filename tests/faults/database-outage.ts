/** @module Takes the database away from the real service, in every way it happens, while projects are being made over HTTP. */
import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { spawnFettle } from "../../packages/cli/src/testing/process.ts";
import { startTcpPostgres } from "../../packages/service/src/testing/faults.ts";

export type Fault = "stopped" | "killed" | "filled up";
export type Place = "embedded" | "external";

export interface Outage {
  acknowledged: number;
  /** Acknowledged and not found afterwards: must be none. */
  lost: string[];
  /** Answers that were neither made, nor 503 with a code and a time to come back: must be none. */
  wrong: string[];
  unavailable: number;
  /** What `/readyz` said meanwhile. */
  reasons: string[];
  /** From the end of the fault until ten more writes were acknowledged. */
  backAfterMs: number;
}

interface Service {
  url: string;
  key: string;
}

/** Whether this machine lets us have a small disk of our own. */
export function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "fettle-mount-"));
  try {
    mountSmallDisk(folder);
    unmount(folder);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const diskMegabytes = 256;

function mountSmallDisk(folder: string): void {
  const options = `size=${diskMegabytes}m,mode=0755`;
  execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder], { stdio: "ignore" });
}

function unmount(folder: string): void {
  execFileSync("umount", [folder], { stdio: "ignore" });
}

export async function sufferOutage(place: Place, fault: Fault): Promise<Outage> {
  const home = mkdtempSync(join(tmpdir(), "fettle-outage-"));
  const data = join(home, "data");
  mkdirSync(data, { mode: 0o755 });
  if (fault === "filled up") mountSmallDisk(data);
  const external = place === "external" ? await startTcpPostgres(data) : undefined;
  const serving = spawnFettle(["serve", "--sample", "--port", "0", "--format", "json"], {
    cwd: home,
    env: {
      FETTLE_DATA: external ? join(home, "own") : data,
      FETTLE_LIMIT_KEY_PER_MINUTE: "1000000",
      FETTLE_LIMIT_KEY_BURST: "100000",
      FETTLE_SECRET_KEY: "k".repeat(32),
      ...(external && { DATABASE_URL: external.url.reveal() }),
    },
  });
  const { url, apiKey } = JSON.parse(await serving.firstLine) as { url: string; apiKey: string };
  const service = { url, key: apiKey };
  const load = startLoad(service);
  let back = external;
  try {
    await until("writes", () => load.acknowledged.size >= 30);
    const relieve = await inflict();
    // A kill is made good before most callers notice; the others last until somebody ends them.
    if (fault !== "killed" && !(place === "embedded" && fault === "stopped")) {
      await until("a 503", () => load.counts.unavailable >= 3);
    }
    const reasons = await readinessDuring(service, fault === "filled up" ? 1 : 0);
    await relieve();
    const relievedAt = performance.now();
    const goal = load.acknowledged.size + 10;
    await until("writes to go on", () => load.acknowledged.size >= goal);
    const backAfterMs = Math.round(performance.now() - relievedAt);
    await until("it to be ready", async () => (await fetch(`${service.url}/readyz`)).ok);
    await load.stop();
    const { unavailable, wrong } = load.counts;
    const lost = await findLost(service, load.acknowledged);
    return { acknowledged: load.acknowledged.size, lost, wrong, unavailable, reasons, backAfterMs };
  } finally {
    await load.stop();
    serving.child.kill("SIGTERM");
    await serving.exit;
    await back?.stop();
    if (fault === "filled up") unmount(data);
    rmSync(home, { recursive: true, force: true });
  }

  /** Returns the way to end it. */
  async function inflict(): Promise<() => Promise<void>> {
    if (fault === "filled up") {
      fill(join(data, "filler"));
      return async () => rmSync(join(data, "filler"));
    }
    const nothing = async () => {};
    if (fault === "killed") {
      process.kill(postmasterOf(data), "SIGKILL");
      return nothing;
    }
    if (!external) {
      process.kill(postmasterOf(data), "SIGINT");
      return nothing;
    }
    await external.stop();
    return async () => {
      back = await startTcpPostgres(data, external.port);
    };
  }
}

/** Four who make one project after the other, and note what they were told. */
function startLoad({ url, key }: Service) {
  const acknowledged = new Set<string>();
  const counts = { unavailable: 0, wrong: [] as string[] };
  let isStopped = false;
  async function write(): Promise<void> {
    while (!isStopped) {
      try {
        const answer = await fetch(`${url}/api/v1/projects`, {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body: JSON.stringify({ name: "written", description: "x".repeat(400) }),
        });
        const body = (await answer.json()) as { id: string; code?: string };
        const isTold = body.code === "UNAVAILABLE" && Number(answer.headers.get("retry-after")) > 0;
        if (answer.status === 201) acknowledged.add(body.id);
        else if (answer.status === 503 && isTold) counts.unavailable += 1;
        else counts.wrong.push(`${answer.status} ${JSON.stringify(body)}`);
      } catch (error) {
        counts.wrong.push(String(error));
      }
    }
  }
  const writers = [1, 2, 3, 4].map(write);
  return {
    acknowledged,
    counts,
    stop: async () => {
      isStopped = true;
      await Promise.all(writers);
    },
  };
}

async function readinessDuring({ url }: Service, times: number): Promise<string[]> {
  const reasons: string[] = [];
  while (reasons.length < times) {
    const answer = await fetch(`${url}/readyz`);
    const { reason } = (await answer.json()) as { reason?: string };
    if (reason !== undefined) reasons.push(reason);
    await delay(200);
  }
  return reasons;
}

async function until(what: string, isThere: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (!(await isThere())) {
    if (Date.now() > deadline) throw new Error(`waited 120 s for ${what}`);
    await delay(20);
  }
}

/** To the last byte. */
function fill(path: string): void {
  const file = openSync(path, "w");
  for (const size of [1024 * 1024, 4096, 1]) {
    const zeros = Buffer.alloc(size);
    try {
      for (;;) if (writeSync(file, zeros) === 0) break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
  }
  closeSync(file);
}

const postmasterOf = (data: string) =>
  Number(readFileSync(join(data, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);

async function findLost({ url, key }: Service, acknowledged: Set<string>): Promise<string[]> {
  const answer = await fetch(`${url}/api/v1/projects`, { headers: { authorization: `Bearer ${key}` } });
  const { items } = (await answer.json()) as { items: { id: string }[] };
  const found = new Set(items.map(({ id }) => id));
  return [...acknowledged].filter((id) => !found.has(id));
}
