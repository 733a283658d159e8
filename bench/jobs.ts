/** @module Our jobs beside pg-boss at its best: one process and one PostgreSQL for both, in turns, so that whatever else the machine does falls on both. */
import { setTimeout as delay } from "node:timers/promises";
import { PgBoss, type WorkOptions } from "pg-boss";
import { must } from "../packages/contract/src/formats/index.ts";
import type { App } from "../packages/service/src/core/app.ts";
import { startEmbedded } from "../packages/service/src/core/db/embedded.ts";
import { openListener } from "../packages/service/src/core/db/listener.ts";
import { migrateDatabase } from "../packages/service/src/core/db/migrate.ts";
import { openPool, type Pool } from "../packages/service/src/core/db/pool.ts";
import { createJobs } from "../packages/service/src/core/jobs/jobs.ts";
import { silentLog } from "../packages/service/src/testing/index.ts";
import { taskJob } from "../packages/service/src/testing/job-worker.ts";
import type { Bench, Row } from "./bench.ts";
import { inFolder } from "./opening.ts";

const rounds = 3;
const small = 2_000;
const mixed = 400;
const pickUps = 150;
const connections = 10;
/** One in twenty-five takes a quarter of a second: jobs here differ a thousandfold in length. */
const mixedMs = (index: number) => (index % 25 === 0 ? 250 : 0);

export const jobsBench: Bench = {
  name: "jobs",
  run: () =>
    inFolder(async (home) => {
      const postgres = await startEmbedded({ dataFolder: home, log: silentLog });
      try {
        await migrateDatabase(postgres.url);
        const pool = openPool({ url: postgres.url, connections, log: silentLog });
        const queues = {
          ours: openOurs(pool, postgres.url),
          boss: await openBoss(pool, postgres.url.reveal()),
        };
        try {
          return await measure(queues);
        } finally {
          await queues.ours.close();
          await queues.boss.close();
          await pool.close();
        }
      } finally {
        await postgres.stop();
      }
    }),
};

/** What each job is told, and what it does: note that it has started, and take its time. */
interface Task {
  n: number;
  workMs: number;
}
type Run = (task: Task) => Promise<void>;

interface Queue<Shape> {
  add(tasks: Task[]): Promise<unknown>;
  work(shape: Shape, run: Run): Promise<{ stop(): Promise<unknown> }>;
  /** Of all that were ever added, those whose success is written down. */
  done(): Promise<number>;
  close(): Promise<unknown>;
}

type Ours = Queue<{ atOnce: number }>;
type Boss = Queue<WorkOptions>;

function openOurs(pool: Pool, url: Parameters<typeof openListener>[0]["url"]): Ours {
  let run: Run = async () => {};
  const task = taskJob((input) => run(input));
  const listener = openListener({ url, log: silentLog });
  const jobs = createJobs({ db: pool.db, url, listener, definitions: [task], now: Date.now });
  // Jobs here use nothing else of an app.
  const app = { db: pool.db, log: silentLog, jobs, now: Date.now } as App;
  return {
    add: (tasks) => jobs.enqueueAll(task, tasks),
    work: (shape, runOne) => {
      run = runOne;
      return jobs.work(app, { concurrency: shape.atOnce });
    },
    done: async () => (await jobs.countByState()).done,
    close: () => listener.close(),
  };
}

async function openBoss(pool: Pool, connectionString: string): Promise<Boss> {
  const boss = new PgBoss({ connectionString, max: connections, useListenNotify: true, schedule: false });
  boss.on("error", () => {});
  await boss.start();
  const queue = "bench-task";
  await boss.createQueue(queue, { notify: true, retryLimit: 3, retryDelay: 1 });
  return {
    add: (tasks) =>
      boss.insert(
        queue,
        tasks.map((data) => ({ data })),
      ),
    work: async (shape, run) => {
      const options = { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 0.5, ...shape };
      await boss.work<Task>(queue, options, async (batch) => {
        await Promise.all(batch.map(({ data }) => run(data)));
      });
      return { stop: () => boss.offWork(queue, { wait: true }) };
    },
    done: async () => {
      const { rows } = await pool.pool.query<{ n: number }>(
        "select count(*)::int as n from pgboss.job where state = 'completed'",
      );
      return must(rows[0], "a count").n;
    },
    close: () => boss.stop({ graceful: false }),
  };
}

const tasks = (count: number, workMs: (index: number) => number = () => 0): Task[] =>
  Array.from({ length: count }, (_, n) => ({ n, workMs: workMs(n) }));

/** Jobs a second from a backlog that is there when the worker starts, until the last end is written. */
async function rate<Shape>(queue: Queue<Shape>, shape: Shape, backlog: Task[]): Promise<number> {
  const before = await queue.done();
  await queue.add(backlog);
  let left = backlog.length;
  let allRan = () => {};
  const ran = new Promise<void>((resolve) => {
    allRan = resolve;
  });
  const startedAt = performance.now();
  const worker = await queue.work(shape, async ({ workMs }) => {
    if (workMs > 0) await delay(workMs);
    if (--left === 0) allRan();
  });
  await ran;
  while ((await queue.done()) < before + backlog.length) await delay(2);
  const seconds = (performance.now() - startedAt) / 1_000;
  await worker.stop();
  return backlog.length / seconds;
}

/** How eight, or a hundred, at once can be had of pg-boss; a worker with batches of one waits for its next poll after each. */
const bossShapes: Record<number, WorkOptions[]> = {
  8: [
    { localConcurrency: 1, batchSize: 8, burstWhenBatchFull: true },
    { localConcurrency: 2, batchSize: 4, burstWhenBatchFull: true },
    { localConcurrency: 4, batchSize: 2, burstWhenBatchFull: true },
  ],
  100: [
    { localConcurrency: 1, batchSize: 100, burstWhenBatchFull: true },
    { localConcurrency: 2, batchSize: 50, burstWhenBatchFull: true },
  ],
};

interface Queues {
  ours: Ours;
  boss: Boss;
}

async function measure(queues: Queues): Promise<Row[]> {
  const eight = await compare(queues, 8, tasks(small));
  const hundred = await compare(queues, 100, tasks(small));
  const unequal = await compare(queues, 8, tasks(mixed, mixedMs));
  const times = await pickUpTimes(queues);
  const row = (what: string, value: number, unit: string, goal?: Row["goal"]): Row => ({
    what,
    value,
    unit,
    ...(goal && { goal }),
  });
  return [
    row("small jobs, 8 at once, ours", eight.ours, "/s", { atLeast: 1_000 }),
    row(`the same, pg-boss, ${eight.shape}`, eight.boss, "/s"),
    row("small jobs, 100 at once, ours", hundred.ours, "/s"),
    row(`the same, pg-boss, ${hundred.shape}`, hundred.boss, "/s"),
    row("one in 25 takes 250 ms, 8 at once, ours", unequal.ours, "/s"),
    row(`the same, pg-boss, ${unequal.shape}`, unequal.boss, "/s"),
    row("idle, from enqueue to start, ours, p50", at(times.ours, 0.5), "ms"),
    row("the same, pg-boss", at(times.boss, 0.5), "ms"),
    row("idle, from enqueue to start, ours, p95", at(times.ours, 0.95), "ms"),
    row("the same, pg-boss", at(times.boss, 0.95), "ms"),
  ];
}

const shapesFor = (atOnce: number) => must(bossShapes[atOnce], `shapes for ${atOnce}`);

/** The fastest round of each, which is the one that the rest of the machine disturbed least; both have as many. */
async function compare({ ours, boss }: Queues, atOnce: number, backlog: Task[]) {
  const shapes = shapesFor(atOnce).map((shape) => ({ shape, rates: [] as number[] }));
  const own: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const { shape, rates } of shapes) {
      own.push(await rate(ours, { atOnce }, backlog));
      rates.push(await rate(boss, shape, backlog));
    }
  }
  const [first] = shapes.toSorted((a, b) => Math.max(...b.rates) - Math.max(...a.rates));
  const best = must(first, "a shape that was measured");
  const { localConcurrency, batchSize } = best.shape;
  return {
    ours: Math.max(...own),
    boss: Math.max(...best.rates),
    shape: `at best (${localConcurrency} x batches of ${batchSize})`,
  };
}

/** One job at a time for workers that have nothing else to do, in turns. */
async function pickUpTimes({ ours, boss }: Queues): Promise<{ ours: number[]; boss: number[] }> {
  let started = () => {};
  const run = async () => started();
  const workers = [
    await ours.work({ atOnce: 8 }, run),
    await boss.work(must(shapesFor(8)[0], "a shape for 8"), run),
  ];
  const time = async (queue: Pick<Ours, "add">) => {
    const start = new Promise<void>((resolve) => {
      started = resolve;
    });
    const addedAt = performance.now();
    await queue.add(tasks(1));
    await start;
    return performance.now() - addedAt;
  };
  const times = { ours: [] as number[], boss: [] as number[] };
  for (let turn = 0; turn < pickUps; turn++) {
    times.ours.push(await time(ours));
    times.boss.push(await time(boss));
  }
  for (const worker of workers) await worker.stop();
  return times;
}

function at(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
