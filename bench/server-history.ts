/** @module Reading a server's history with a thousand entries and with a hundred thousand: it takes as long. */

import { must } from "../packages/contract/src/formats/index.ts";
import { readConfig } from "../packages/service/src/core/config/config.ts";
import { listHistory, listVerdicts } from "../packages/service/src/servers/history/history.ts";
import { findEntry } from "../packages/service/src/servers/history/store.ts";
import { createApp, type RunningApp } from "../packages/service/src/start/create-app.ts";
import { saveServer } from "../packages/service/src/testing/eval-suite.ts";
import { plantHistory } from "../packages/service/src/testing/server-history/planted-history.ts";
import { silentLog } from "../packages/service/src/testing/silent-log.ts";
import { makeWorld } from "../packages/service/src/testing/world.ts";
import type { Bench, Row } from "./bench.ts";
import { inFolder } from "./opening.ts";

const few = 1_000;
const many = 100_000;
const reads = 300;

export const serverHistoryBench: Bench = {
  name: "server-history",
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
  const { id } = await saveServer(world, app, "http://127.0.0.1:9/mcp");
  const mixed = (index: number) => ({
    kind: index % 10 === 0 ? ("health" as const) : ("tool" as const),
    outcome: index % 100 === 0 ? ("failed" as const) : ("ok" as const),
  });
  const planted = await plantHistory(app, id, few, mixed);
  const middle = must(planted[few / 2], "an entry in the middle");
  const asked: Record<string, () => Promise<unknown>> = {
    "the first page of 50": () => listHistory(app, id, { limit: 50 }),
    "a page in the middle": () => listHistory(app, id, { limit: 50, cursor: middle }),
    "the calls that failed": () => listHistory(app, id, { limit: 50, kind: "tool", outcome: "failed" }),
    "one entry": () => findEntry(app.db, id, middle),
    "the latest verdicts": () => listVerdicts(app, world.projectId, undefined),
  };
  // A process that has just begun is slow at everything.
  for (const read of Object.values(asked)) await median(read);
  const before: { what: string; read: () => Promise<unknown>; took: number }[] = [];
  for (const [what, read] of Object.entries(asked)) before.push({ what, read, took: await median(read) });
  for (let made = few; made < many; made += 9_900) await plantHistory(app, id, 9_900, mixed);
  await app.pool.query("ANALYZE server_history");
  const rows: Row[] = [];
  for (const { what, read, took } of before) {
    const after = await median(read);
    rows.push(
      { what: `${what}, of ${many} entries`, value: after, unit: "ms" },
      {
        what: `${what}, beside ${few} entries`,
        value: after / took,
        unit: "×",
        goal: { atMost: 2 },
      },
    );
  }
  return rows;
}

async function median(read: () => Promise<unknown>): Promise<number> {
  const took: number[] = [];
  for (let count = 0; count < reads; count++) {
    const startedAt = performance.now();
    await read();
    took.push(performance.now() - startedAt);
  }
  return must(took.toSorted((a, b) => a - b)[reads / 2], "a time in the middle");
}
