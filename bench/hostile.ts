/** @module What one project's hostile servers cost another project's calls: the same calls with and without the corpus running. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../packages/contract/src/index.ts";
import { connect, parseTarget } from "../packages/mcp/src/index.ts";
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
    await using connection = await connect(parseTarget({ url: shop.url }));
    const tool = { toolName: "search_books", parameters: { query: "swallows" } };
    // Straight to the server as well: what moves there too is the machine, which the corpus shares, and not the service.
    const call = async (seen: Seen) => {
      seen.through.push(await timed(() => client.callTool({ ...ours, body: tool })));
      seen.direct.push(await timed(() => connection.callTool(tool.toolName, tool.parameters)));
    };
    const servers = `${service.url}/api/v1/projects/${theirs.projectId}/servers`;
    hostile.send({ servers, key, timeoutMs: 1_500, atOnce: 8 });
    await once(hostile, "message");
    const [warming, quiet, loud] = [none(), none(), none()];
    for (let warm = 0; warm < 50; warm++) await call(warming);
    // In turn, so that whatever else the machine does falls on both.
    for (let round = 0; round < rounds; round++) {
      for (let index = 0; index < quietCalls; index++) await call(quiet);
      let running = true;
      hostile.send("run");
      hostile.once("message", () => {
        running = false;
      });
      while (running) await call(loud);
    }
    const status = readFileSync(`/proc/${service.pid}/status`, "utf8");
    return [
      {
        what: "another project's tool call while all is quiet, p99",
        value: at(quiet.through, 0.99),
        unit: "ms",
      },
      { what: "the same while the hostile corpus runs, p99", value: at(loud.through, 0.99), unit: "ms" },
      {
        what: "p50 beside the corpus, times the quiet one",
        value: at(loud.through, 0.5) / at(quiet.through, 0.5),
        unit: "x",
      },
      {
        what: "p99 beside the corpus, times the quiet one",
        value: at(loud.through, 0.99) / at(quiet.through, 0.99),
        unit: "x",
      },
      {
        what: "p99 without the service between, beside the corpus, times the quiet one",
        value: at(loud.direct, 0.99) / at(quiet.direct, 0.99),
        unit: "x",
      },
      {
        what: "p99 beside the corpus, times what the machine itself shows",
        value:
          at(loud.through, 0.99) /
          at(quiet.through, 0.99) /
          Math.max(1, at(loud.direct, 0.99) / at(quiet.direct, 0.99)),
        unit: "x",
        goal: { atMost: 1.3 },
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

interface Seen {
  through: number[];
  direct: number[];
}

function none(): Seen {
  return { through: [], direct: [] };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function at(times: number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;
}
