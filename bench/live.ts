/** @module What the service adds to a tool call on a warm pool, and whether saved servers make it slower. */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../packages/contract/src/index.ts";
import { connect, parseTarget } from "../packages/mcp/src/index.ts";
import { startBookshop } from "../packages/samples/src/index.ts";
import { createApp } from "../packages/service/src/app.ts";
import { readConfig } from "../packages/service/src/config.ts";
import { createServer } from "../packages/service/src/servers/servers.ts";
import { silentLog } from "../packages/service/src/testing/index.ts";
import {
  makeKey,
  makeMember,
  makeOrganization,
  makeProject,
} from "../packages/service/src/testing/people.ts";
import type { Bench, Row } from "./benches.ts";
import { startService } from "./service-process.ts";

const calls = 300;
const savedServers = 500;
const tool = { name: "search_books", args: { query: "swallows" } };

export const liveBench: Bench = {
  name: "live",
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
  const { key, projects } = await fillProjects(data, shop.url, [1, savedServers]);
  const [one, many] = projects as [Place, Place];
  const service = await startService(data, {
    FETTLE_LIMIT_KEY_PER_MINUTE: "1000000",
    FETTLE_LIMIT_KEY_BURST: "100000",
  });
  try {
    const client = createClient({ baseUrl: `${service.url}/api/v1`, key });
    const through = (projectId: string, serverId: string) => () =>
      client.callTool({ projectId, serverId, body: { toolName: tool.name, parameters: tool.args } });
    await using connection = await connect(parseTarget({ url: shop.url }));
    // Side by side, call by call, so that whatever else the machine does falls on all alike.
    const [direct, alone, among] = await medians([
      () => connection.callTool(tool.name, tool.args),
      through(one.projectId, one.serverId),
      through(many.projectId, many.serverId),
    ]);
    return [
      { what: "tool call, direct, p50", value: direct!, unit: "ms" },
      { what: "tool call through the service, warm, p50", value: alone!, unit: "ms" },
      // The goal is met by either: at most 3 ms added, or at most half of the direct call.
      {
        what: "added by the service, as a share of what is allowed",
        value: (alone! - direct!) / Math.max(3, direct! / 2),
        unit: "x",
        goal: { atMost: 1 },
      },
      {
        what: `the same among ${savedServers} saved servers against 1`,
        value: among! / alone!,
        unit: "x",
        goal: { atMost: 1.2 },
      },
    ];
  } finally {
    await service.stop();
  }
}

async function medians(ways: (() => Promise<unknown>)[]): Promise<number[]> {
  const times = ways.map((): number[] => []);
  for (const way of ways) for (let warm = 0; warm < 20; warm++) await way();
  for (let call = 0; call < calls; call++) {
    for (const [index, way] of ways.entries()) {
      const startedAt = performance.now();
      await way();
      times[index]!.push(performance.now() - startedAt);
    }
  }
  return times.map((each) => each.sort((a, b) => a - b)[Math.floor(each.length / 2)]!);
}

export interface Place {
  projectId: string;
  serverId: string;
}

/** A key, and for each of `counts` a project with that many saved servers, all the same shop. */
export async function fillProjects(
  data: string,
  url: string,
  counts: number[],
): Promise<{ key: string; projects: Place[] }> {
  const config = readConfig({ flags: { data }, env: {} });
  const app = await createApp(config, { log: silentLog });
  try {
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
  } finally {
    await app.stop();
  }
}
