/** @module The hostile corpus through what people run, for the everyday run and the long one: memory stays under what docs/self-hosting.md says, and nobody else notices. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type HostileServer, hostileCommand, startBookshop, startHostile } from "@fettle/samples";
import { testDatabase } from "@fettle/service/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { processMark } from "../packages/mcp/src/testing/processes.ts";
import { openHostileLoad } from "../packages/service/src/testing/hostile-load.ts";
import {
  makeKey,
  makeMember,
  makeOrganization,
  makeProject,
} from "../packages/service/src/testing/people.ts";

/** As docs/self-hosting.md states them, in mebibytes. */
const bounds = { addedToService: 450, wholeCommand: 200 };
const root = join(import.meta.dirname, "..");
const launcher = join(root, "dist", "fettle", "launcher.mjs");
const run = promisify(execFile);
let home: string;

/** Declares the tests with these servers. */
export function holdMemory(chosen: readonly HostileServer[]): void {
  beforeAll(async () => {
    await run(process.execPath, [join(root, "scripts", "build.mjs"), "--if-changed"], { cwd: root });
    home = await mkdtemp(join(tmpdir(), "fettle-hostile-"));
  });
  afterAll(() => rm(home, { recursive: true, force: true }));

  test("the service holds its memory, answers everyone else meanwhile, and is well afterwards", async () => {
    await using stack = new AsyncDisposableStack();
    const { db, url: databaseUrl } = stack.use(await testDatabase());
    const organization = await makeOrganization(db);
    const key = await makeKey(db, organization, await makeMember(db, organization, "member"));
    const [theirs, ours] = [await makeProject(db, organization), await makeProject(db, organization)];
    const service = spawn(process.execPath, [launcher, "serve", "--port", "0", "--format", "json"], {
      env: {
        PATH: process.env.PATH,
        FETTLE_HOME: home,
        FETTLE_LIMIT_KEY_PER_MINUTE: "1000000",
        FETTLE_LIMIT_KEY_BURST: "100000",
        DATABASE_URL: databaseUrl.reveal(),
        FETTLE_SECRET_KEY: "k".repeat(32),
      },
      stdio: ["ignore", "pipe", "ignore"],
    });
    stack.defer(() => void service.kill("SIGKILL"));
    const [line] = await once(service.stdout.setEncoding("utf8"), "data");
    const serversOf = (project: string) => `${JSON.parse(line).url}/api/v1/projects/${project}/servers`;
    const post = async (url: string, body: object, signal?: AbortSignal) => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const init = { method: "POST", headers, body: JSON.stringify(body), ...(signal && { signal }) };
      const response = await fetch(url, init);
      return { status: response.status, body: (await response.json()) as { id: string } };
    };
    const save = async (project: string, url: string, timeout: number) => {
      const body = { name: url, transportType: "http", url, timeout };
      return `${serversOf(project)}/${(await post(serversOf(project), body)).body.id}`;
    };
    const shop = await startBookshop();
    stack.defer(() => shop.close());
    const good = { ours: await save(ours, shop.url, 30_000), theirs: await save(theirs, shop.url, 30_000) };
    const callShop = async (server: string) =>
      (await post(`${server}/tools/call`, { toolName: "list_orders" })).status;
    expect(await callShop(good.ours)).toBe(200);

    const before = memoryOf(service.pid!, "VmRSS");
    const load = await openHostileLoad({
      names: chosen.map(({ name }) => name),
      servers: serversOf(theirs),
      key,
      timeoutMs: 2_000,
      atOnce: 12,
    });
    stack.defer(() => load.close());
    let done = false;
    const running = load.run().finally(() => {
      done = true;
    });
    const seen = new Set<number>();
    let calls = 0;
    while (!done) {
      seen.add(await callShop(good.ours));
      calls += 1;
    }
    expect([...seen]).toEqual([200]);
    expect(calls).toBeGreaterThan(10);
    const odd = (await running).filter(({ status }) => ![200, 401, 422, 502, 504].includes(status));
    expect(odd).toEqual([]);
    expect(await callShop(good.theirs)).toBe(200);
    expect(memoryOf(service.pid!, "VmHWM") - before).toBeLessThan(bounds.addedToService);

    // Nobody waits for a call that hangs: these are all answered while it still does.
    const hanging = await startHostile("hang-on-call");
    stack.defer(() => hanging.close());
    const hangs = await save(theirs, hanging.url, 60_000);
    const leaving = new AbortController();
    let hung = true;
    const waits = post(`${hangs}/tools/call`, { toolName: "echo" }, leaving.signal).finally(() => {
      hung = false;
    });
    waits.catch(() => {});
    for (let call = 0; call < 5; call++) expect(await callShop(good.theirs)).toBe(200);
    expect(hung).toBe(true);
    leaving.abort();
    await expect(waits).rejects.toThrow();
  }, 300_000);

  test("the command holds its memory, ends in time, and leaves no process", async () => {
    const waiting = [...chosen];
    const peaks: [name: string, mebibytes: number][] = [];
    const codes = new Set<number>();
    const mark = processMark();
    const worker = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        await using stack = new AsyncDisposableStack();
        const flags: string[] = [];
        if (next.transports.includes("http")) {
          const server = await startHostile(next.name);
          stack.defer(() => server.close());
          flags.push("--url", server.url);
        } else {
          const { command, args } = hostileCommand(next.name);
          flags.push("--command", command, "--args", ...args);
        }
        for (const words of [
          ["server", "doctor"],
          ["tools", "list"],
        ]) {
          const { peak, code } = await measured([...words, "--timeout", "3000", ...flags], mark.env);
          peaks.push([`${next.name} ${words.join(" ")}`, peak]);
          codes.add(code);
        }
      }
    };
    await Promise.all([worker(), worker(), worker()]);
    expect(peaks.filter(([, peak]) => !(peak < bounds.wholeCommand))).toEqual([]);
    // Well, or a failure that it names; never a crash of its own.
    expect([...codes].sort()).toEqual([0, 1]);
    await expect.poll(mark.left).toEqual([]);
  }, 300_000);
}

/** Runs the command to its end; the most memory it held is said on a pipe of its own. */
async function measured(
  argv: string[],
  env: Record<string, string>,
): Promise<{ peak: number; code: number }> {
  const peakMemory = join(root, "bench", "cli", "peak-memory.mjs");
  const child = spawn(process.execPath, ["--import", peakMemory, launcher, ...argv], {
    env: { PATH: process.env.PATH, HOME: home, FETTLE_HOME: home, ...env },
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stdio[3]!.on("data", (chunk) => {
    said += chunk;
  });
  const [code] = await once(child, "close");
  return { peak: Number(said || Number.NaN) / 1024, code };
}

function memoryOf(pid: number, name: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1024;
}
