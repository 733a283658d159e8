/** @module What one project's hostile servers cost another project's calls, beside what the machine itself does to the same calls meanwhile. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "../packages/contract/src/client/index.ts";
import { must } from "../packages/contract/src/formats/index.ts";
import { connect, parseTarget } from "../packages/mcp/src/index.ts";
import type { Bench, Row } from "./bench.ts";
import { at, fillProjects, inFolder, openShop, type Place, startUnlimited, timed } from "./opening.ts";

/** Several short ones: quiet and loud lie seconds apart, so what else the machine does falls on both alike. */
const rounds = 8;
const tool = { toolName: "search_books", parameters: { query: "swallows" } };
/** The service whose other project is hostile, one that nobody bothers, and no service at all: in turn, call by call. */
const ways = ["beside", "apart", "direct"] as const;
type Way = (typeof ways)[number];

export const hostileBench: Bench = { name: "hostile", run: () => inFolder(measure) };

async function measure(home: string): Promise<Row[]> {
  await using shop = await openShop();
  await using connection = await connect(parseTarget({ url: shop.url }));
  const [attacked, spared] = [
    await prepare(join(home, "attacked"), shop.url),
    await prepare(join(home, "spared"), shop.url),
  ];
  const hostile = fork(join(import.meta.dirname, "hostile-load.ts"));
  const calls: Record<Way, () => Promise<unknown>> = {
    beside: attacked.call,
    apart: spared.call,
    direct: () => connection.callTool(tool.toolName, tool.parameters),
  };
  const call = async (seen: Seen) => {
    for (const way of ways) seen[way].push(await timed(calls[way]));
  };
  try {
    hostile.send({ servers: attacked.servers, key: attacked.key, timeoutMs: 1_500, atOnce: 8 });
    await once(hostile, "message");
    const warming = none();
    for (let warm = 0; warm < 50; warm++) await call(warming);
    await corpus(warming);
    const seen: Round[] = [];
    for (let round = 0; round < rounds; round++) {
      const [quiet, loud] = [none(), none()];
      const lasted = await corpus(loud);
      const until = performance.now() + lasted;
      while (performance.now() < until) await call(quiet);
      seen.push({ quiet, loud });
    }
    return [...rowsOf(seen), peakMemory(attacked.pid)];
  } finally {
    hostile.kill();
    await Promise.all([attacked.stop(), spared.stop()]);
  }

  /** Calls on while the corpus runs once; how long that took. */
  async function corpus(seen: Seen): Promise<number> {
    let isRunning = true;
    hostile.send("run");
    hostile.once("message", () => {
      isRunning = false;
    });
    return timed(async () => {
      while (isRunning) await call(seen);
    });
  }
}

async function prepare(data: string, shop: string) {
  // As root the database runs as another user, who has to get through.
  await mkdir(data, { mode: 0o711 });
  const { key, projects } = await fillProjects(data, shop, [1, 1]);
  const [ours, theirs] = projects as [Place, Place];
  const { url, pid, stop } = await startUnlimited(data);
  const client = createClient({ baseUrl: `${url}/api/v1`, key });
  const call = () => client.callTool({ ...ours, body: tool });
  return { key, servers: `${url}/api/v1/projects/${theirs.projectId}/servers`, call, pid, stop };
}

type Seen = Record<Way, number[]>;

interface Round {
  quiet: Seen;
  loud: Seen;
}

function none(): Seen {
  return { beside: [], apart: [], direct: [] };
}

function rowsOf(rounds: Round[]): Row[] {
  const times = (way: Way, share: number) => (some: Round[]) =>
    at(all(some, "loud", way), share) / at(all(some, "quiet", way), share);
  const against = (way: Way) => (some: Round[]) => times("beside", 0.99)(some) / times(way, 0.99)(some);
  const ratio = (what: string, of: (some: Round[]) => number): Row => ({
    what,
    value: of(rounds),
    unit: "x",
    spread: spreadOf(rounds, of),
  });
  return [
    { what: "another project's tool call while all is quiet, p99", ...p99("quiet") },
    { what: "the same while the hostile corpus runs, p99", ...p99("loud") },
    ratio("p50 beside the corpus, times the quiet one", times("beside", 0.5)),
    ratio("p99 beside the corpus, times the quiet one", times("beside", 0.99)),
    ratio("the same through a service that nobody bothers", times("apart", 0.99)),
    ratio("the same without a service between", times("direct", 0.99)),
    {
      ...ratio("p99 beside the corpus, times what the machine itself shows", against("apart")),
      goal: { atMost: 1.3 },
    },
    ratio("the same, times what calls without a service show", against("direct")),
  ];

  function p99(when: keyof Round) {
    return { value: at(all(rounds, when, "beside"), 0.99), unit: "ms" };
  }
}

function all(rounds: Round[], when: keyof Round, way: Way): number[] {
  return rounds.flatMap((round) => round[when][way]);
}

/** Where the figure lies in nine of ten draws of as many rounds from these: how much of it is chance. */
function spreadOf(rounds: Round[], of: (some: Round[]) => number): [number, number] {
  const drawn = Array.from({ length: 300 }, () =>
    of(rounds.map(() => must(rounds[Math.floor(Math.random() * rounds.length)], "a round"))),
  );
  return [at(drawn, 0.05), at(drawn, 0.95)];
}

function peakMemory(pid: number): Row {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return {
    what: "peak memory of the service",
    value: Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) / 1024,
    unit: "MiB",
    goal: { atMost: 600 },
  };
}
