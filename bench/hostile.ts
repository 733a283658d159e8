/** @module What one project's hostile servers cost another project's calls: the same calls with and without the corpus running. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../packages/contract/src/index.ts";
import { startBookshop } from "../packages/samples/src/index.ts";
import type { Bench, Row } from "./benches.ts";
import { fillProjects, type Place } from "./live.ts";
import { startService } from "./service-process.ts";

const rounds = 3;
const quietCalls = 300;

export const hostileBench: Bench = {
  name: "hostile",
  run: async () => {
    const home = await mkdtemp(join(tmpdir(), "fettle-bench-"));
    // As root the database runs as another user, who has to get through.
    await chmod(home, 0o711);
    try {
      return await measure(home);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  },
};

async function measure(data: string): Promise<Row[]> {
  await using shop = await startBookshop().then((started) => ({
    url: started.url,
    [Symbol.asyncDispose]: () => started.close(),
  }));
  const { key, projects } = await fillProjects(data, shop.url, [1, 1]);
  const [ours, theirs] = projects as [Place, Place];
  const service = await startService(data, {
    FETTLE_LIMIT_KEY_PER_MINUTE: "1000000",
    FETTLE_LIMIT_KEY_BURST: "100000",
  });
  const hostile = fork(join(import.meta.dirname, "hostile-load.ts"));
  try {
    const client = createClient({ baseUrl: `${service.url}/api/v1`, key });
    const call = async () => {
      const startedAt = performance.now();
      const body = { toolName: "search_books", parameters: { query: "swallows" } };
      await client.callTool({ ...ours, body });
      return performance.now() - startedAt;
    };
    const servers = `${service.url}/api/v1/projects/${theirs.projectId}/servers`;
    hostile.send({ servers, key, timeoutMs: 1_500, atOnce: 8 });
    await once(hostile, "message");
    for (let warm = 0; warm < 50; warm++) await call();
    const quiet: number[] = [];
    const loud: number[] = [];
    // In turn, so that whatever else the machine does falls on both.
    for (let round = 0; round < rounds; round++) {
      for (let index = 0; index < quietCalls; index++) quiet.push(await call());
      let running = true;
      hostile.send("run");
      hostile.once("message", () => {
        running = false;
      });
      while (running) loud.push(await call());
    }
    const status = readFileSync(`/proc/${service.pid}/status`, "utf8");
    return [
      { what: "another project's tool call while all is quiet, p99", value: at(quiet, 0.99), unit: "ms" },
      { what: "the same while the hostile corpus runs, p99", value: at(loud, 0.99), unit: "ms" },
      {
        what: "p50 beside the corpus, times the quiet one",
        value: at(loud, 0.5) / at(quiet, 0.5),
        unit: "x",
      },
      {
        what: "p99 beside the corpus, times the quiet one",
        value: at(loud, 0.99) / at(quiet, 0.99),
        unit: "x",
      },
      {
        what: "peak memory of the service",
        value: Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) / 1024,
        unit: "MiB",
        goal: { atMost: 600 },
      },
    ];
  } finally {
    hostile.kill();
    await service.stop();
  }
}

function at(times: number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;
}
