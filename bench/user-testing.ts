/** @module Reading a scenario and its sessions, with few and with twenty thousand of them. */
import { createApp, type RunningApp } from "../packages/service/src/app.ts";
import { createClient } from "../packages/service/src/clients/clients.ts";
import { readConfig } from "../packages/service/src/config.ts";
import { createEnvironment } from "../packages/service/src/environments/environments.ts";
import { saveServer } from "../packages/service/src/testing/eval-suite.ts";
import { plantSessions } from "../packages/service/src/testing/planted-sessions.ts";
import { silentLog } from "../packages/service/src/testing/silent-log.ts";
import { makeWorld } from "../packages/service/src/testing/world.ts";
import { listSessions, readScenario } from "../packages/service/src/user-testing/reads.ts";
import { publishScenario } from "../packages/service/src/user-testing/scenarios.ts";
import {
  findOfEnvironment,
  findScenario,
  type ScenarioRow,
} from "../packages/service/src/user-testing/store.ts";
import type { Bench, Row } from "./benches.ts";
import { inFolder } from "./opening.ts";

const sessions = 20_000;
const planted = 500;
const reads = 400;

export const userTestingBench: Bench = {
  name: "user-testing",
  run: () =>
    inFolder(async (home) => {
      const env = { FETTLE_HOME: home, FETTLE_PORT: "0" };
      const app = await createApp(readConfig({ env }), { log: silentLog });
      try {
        return await measure(app);
      } finally {
        await app.stop();
      }
    }),
};

async function measure(app: RunningApp): Promise<Row[]> {
  const world = await makeWorld(app.db);
  const { projectId, organizationId, people } = world;
  const { userId } = people.owner;
  const server = await saveServer(world, app, "http://127.0.0.1:9/mcp");
  const config = { modelId: "fettle/rules-1", serverIds: [server.id] };
  const client = await createClient(app, app.db, projectId, userId, { name: "Bench", config });
  const wanted = { name: "Bench", hostId: client.id };
  const environment = await createEnvironment(app, app.db, projectId, userId, wanted);
  await publishScenario(app, { projectId, userId, origin: "http://localhost" }, environment.id, {});
  const scenario = (await findOfEnvironment(app.db, environment.id))!;
  const member = { id: projectId, organizationId, organizationRole: "member", grant: null } as const;
  const project = { ...member, isWorkspaceMember: true, isAdmin: false };
  const read = async () => {
    const row = (await findScenario(app.db, projectId, scenario.id))!;
    await readScenario(app, project, row);
  };
  const list = (row: ScenarioRow) => listSessions(app, row, { limit: 50 });
  const few = await p95(read);
  for (let made = 0; made < sessions; made += planted) {
    await plantSessions(
      app,
      scenario,
      Array.from({ length: planted }, () => ({})),
    );
  }
  return [
    { what: "p95 of reading a scenario without sessions", value: few, unit: "ms" },
    {
      what: `p95 of reading it with ${sessions} sessions`,
      value: await p95(read),
      unit: "ms",
      goal: { atMost: 50 },
    },
    {
      what: "p95 of a page of 50 of its sessions",
      value: await p95(() => list(scenario)),
      unit: "ms",
      goal: { atMost: 50 },
    },
  ];
}

async function p95(read: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let asked = 0; asked < reads; asked += 1) {
    const start = performance.now();
    await read();
    times.push(performance.now() - start);
  }
  times.sort((one, other) => one - other);
  return times[Math.ceil(reads * 0.95) - 1]!;
}
