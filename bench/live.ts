/** @module What the service adds to a tool call on a warm pool, and whether saved servers make it slower. */

import { createClient } from "../packages/contract/src/client/index.ts";
import { must } from "../packages/contract/src/formats/index.ts";
import { connect, parseTarget } from "../packages/mcp/src/index.ts";
import type { Bench, Row } from "./benches.ts";
import { at, fillProjects, inFolder, openShop, type Place, startUnlimited, timed } from "./opening.ts";

const calls = 300;
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
  const service = await startUnlimited(data);
  try {
    const client = createClient({ baseUrl: `${service.url}/api/v1`, key });
    const through = (projectId: string, serverId: string) => () =>
      client.callTool({ projectId, serverId, body: { toolName: tool.name, parameters: tool.args } });
    await using connection = await connect(parseTarget({ url: shop.url }));
    // Side by side, call by call, so that whatever else the machine does falls on all alike.
    const [direct, alone, among] = await mediansOfThree([
      () => connection.callTool(tool.name, tool.args),
      through(one.projectId, one.serverId),
      through(many.projectId, many.serverId),
    ]);
    return [
      { what: "tool call, direct, p50", value: direct, unit: "ms" },
      { what: "tool call through the service, warm, p50", value: alone, unit: "ms" },
      // The goal is met by either: at most 3 ms added, or at most half of the direct call.
      {
        what: "added by the service, as a share of what is allowed",
        value: (alone - direct) / Math.max(3, direct / 2),
        unit: "x",
        goal: { atMost: 1 },
      },
      {
        what: `the same among ${savedServers} saved servers against 1`,
        value: among / alone,
        unit: "x",
        goal: { atMost: 1.2 },
      },
    ];
  } finally {
    await service.stop();
  }
}

type Way = () => Promise<unknown>;

async function mediansOfThree(ways: [Way, Way, Way]): Promise<[number, number, number]> {
  const times: [number[], number[], number[]] = [[], [], []];
  for (const way of ways) for (let warm = 0; warm < 20; warm++) await way();
  for (let call = 0; call < calls; call++) {
    for (const [index, each] of times.entries()) each.push(await timed(must(ways[index], "a way")));
  }
  const [direct, alone, among] = times;
  return [at(direct, 0.5), at(alone, 0.5), at(among, 0.5)];
}
