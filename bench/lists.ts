/**
 * @module Every list while a project is small, and again once it holds 100,000 iterations, calls and conversations. What counts is its
 * queries, each time against a trivial read of as many rows in the same moments: whatever else the machine does falls on both.
 */
import { must } from "../packages/contract/src/formats/index.ts";
import { readConfig } from "../packages/service/src/core/config/config.ts";
import { createApp, type RunningApp } from "../packages/service/src/start/create-app.ts";
import { type AskedList, askedLists, nameOf } from "../packages/service/src/testing/lists/asked-lists.ts";
import { fillProject } from "../packages/service/src/testing/lists/filled-project.ts";
import { listReader } from "../packages/service/src/testing/lists/list-reader.ts";
import { listenToQueries, type SentQuery } from "../packages/service/src/testing/lists/sent-queries.ts";
import { silentLog } from "../packages/service/src/testing/silent-log.ts";
import type { Bench, Row } from "./bench.ts";
import { inFolder } from "./opening.ts";

const few = 100;
const many = 100_000;
const rounds = 60;

export const listsBench: Bench = {
  name: "lists",
  run: () =>
    inFolder(async (home) => {
      listenToQueries();
      const env = { FETTLE_HOME: home, FETTLE_PORT: "0", FETTLE_LIMIT_KEY_BURST: "100000" };
      const app = await createApp(readConfig({ env }), { log: silentLog });
      try {
        return await measure(app);
      } finally {
        await app.stop();
      }
    }),
};

async function measure(app: RunningApp): Promise<Row[]> {
  const filled = await fillProject(app);
  await app.pool.query(
    "CREATE TABLE trivial AS SELECT g AS id, md5(g::text) AS said FROM generate_series(1, 1000) AS g",
  );
  await app.pool.query("ALTER TABLE trivial ADD PRIMARY KEY (id)");
  const reader = await listReader(app, filled);
  const costs = async (before?: ReadonlyMap<string, Cost>) => {
    const found = new Map<string, Cost>();
    for (const list of askedLists(filled)) {
      const name = nameOf(list);
      const pages = await pagesOf(reader.read, list, before?.get(name)?.items);
      for (const [place, page] of Object.entries(pages)) {
        found.set(name + place, { items: page.items, cost: await inTrivialReads(app, page) });
      }
    }
    return found;
  };
  try {
    await filled.grow(few);
    const early = await costs();
    await filled.grow(many);
    const late = await costs(early);
    const growth = [...late].map(([name, { cost }]) => {
      // A list of few has no page in the middle: it is held against its first.
      const before = must(early.get(name) ?? early.get(name.replace(middle, "")), "the same list of few");
      return { name, cost, times: cost / before.cost };
    });
    return growth
      .toSorted((one, other) => other.times - one.times)
      .flatMap(({ name, cost, times }) => [
        { what: name, value: times, unit: "×", goal: { atMost: 2 } },
        { what: `  against a trivial read of as many rows, of ${many}`, value: cost, unit: "×" },
      ]);
  } finally {
    await reader.close();
  }
}

interface Cost {
  items: number;
  /** In trivial reads of as many rows. */
  cost: number;
}

const middle = ", further on";

type Reader = Awaited<ReturnType<typeof listReader>>;
type ReadPage = Awaited<ReturnType<Reader["read"]>>;

/** The first page and one in the middle, no longer than the page of before: the rows of a list are wider than those of a trivial read. */
async function pagesOf(
  read: Reader["read"],
  list: AskedList,
  most?: number,
): Promise<Record<string, ReadPage>> {
  let first = await read(list);
  let asked = list;
  if (most !== undefined && first.items > most && first.nextCursor !== undefined) {
    asked = { ...list, query: { ...list.query, limit: String(Math.max(1, most)) } };
    first = await read(asked);
  }
  let page = first;
  for (let turned = 0; turned < 20 && page.nextCursor !== undefined; turned++) {
    page = await read(asked, page.nextCursor);
  }
  return { "": first, ...(page !== first && { [middle]: page }) };
}

/** The quietest of many rounds, each read right after the other. */
async function inTrivialReads(app: RunningApp, { queries, items }: ReadPage): Promise<number> {
  const trivial = {
    text: "SELECT * FROM trivial WHERE id > $1 ORDER BY id LIMIT $2",
    values: [100, Math.max(1, items)],
  };
  let [own, least] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < rounds; round++) {
    own = Math.min(own, await timeOf(app, queries));
    least = Math.min(least, await timeOf(app, [trivial]));
  }
  return own / least;
}

async function timeOf(app: RunningApp, queries: readonly SentQuery[]): Promise<number> {
  const startedAt = performance.now();
  for (const { text, values } of queries) await app.pool.query({ text, values });
  return performance.now() - startedAt;
}
