/** @module What the service adds to a tool call on a warm pool, and whether saved servers make it slower. */

import { createClient } from "../packages/contract/src/client/index.ts";
import { must } from "../packages/contract/src/formats/index.ts";
import { connect, parseTarget } from "../packages/mcp/src/index.ts";
import { type Bench, inRounds, median, type Row } from "./bench.ts";
import { at, fillProjects, inFolder, openShop, type Place, startUnlimited, timed } from "./opening.ts";

/** Each with a service of its own: no two processes are laid out alike. */
const rounds = 5;
const callsPerRound = 120;
const savedServers = 500;
const tool = { name: "search_books", args: { query: "swallows" } };

export const liveBench: Bench = {
  name: "live",
  run: () => inFolder(measure),
};

async function measure(data: string): Promise<Row[]> {
  await using shop = await openShop();
  const { key, projects } = await fillProjects(data, shop.url, [1, savedServers]);
  const [one, many] = projects as [Place, Place];
  await using connection = await connect(parseTarget({ url: shop.url }));
  const medians: Medians[] = [];
  for (let round = 0; round < rounds; round++) {
    const service = await startUnlimited(data);
    try {
      const client = createClient({ baseUrl: `${service.url}/api/v1`, key });
      const through = (projectId: string, serverId: string) => () =>
        client.callTool({ projectId, serverId, body: { toolName: tool.name, parameters: tool.args } });
      // Side by side, call by call, so that whatever else the machine does falls on all alike.
      const [direct, alone, among] = await mediansOfThree([
        () => connection.callTool(tool.name, tool.args),
        through(one.projectId, one.serverId),
        through(many.projectId, many.serverId),
      ]);
      medians.push({ direct, alone, among });
    } finally {
      await service.stop();
    }
  }
  const each = (of: (round: Medians) => number) => medians.map(of);
  return [
    { what: "tool call, direct, p50", value: median(each(({ direct }) => direct)), unit: "ms" },
    {
      what: "tool call through the service, warm, p50",
      value: median(each(({ alone }) => alone)),
      unit: "ms",
    },
    // Whatever else the machine does makes both longer: the ratio can be compared, the milliseconds only on a quiet machine.
    inRounds({
      what: "through the service, against direct",
      rounds: each(({ direct, alone }) => alone / direct),
      unit: "x",
      goal: { atMost: 1.6 },
    }),
    inRounds({
      what: "added by the service",
      rounds: each(({ direct, alone }) => alone - direct),
      unit: "ms",
      goal: { atMost: 2 },
    }),
    inRounds({
      what: `the same among ${savedServers} saved servers against 1`,
      rounds: each(({ alone, among }) => among / alone),
      unit: "x",
      goal: { atMost: 1.2 },
    }),
  ];
}

interface Medians {
  direct: number;
  alone: number;
  among: number;
}

type Way = () => Promise<unknown>;

async function mediansOfThree(ways: [Way, Way, Way]): Promise<[number, number, number]> {
  const times: [number[], number[], number[]] = [[], [], []];
  for (const way of ways) for (let warm = 0; warm < 20; warm++) await way();
  for (let call = 0; call < callsPerRound; call++) {
    for (const [index, each] of times.entries()) each.push(await timed(must(ways[index], "a way")));
  }
  const [direct, alone, among] = times;
  return [at(direct, 0.5), at(alone, 0.5), at(among, 0.5)];
}
