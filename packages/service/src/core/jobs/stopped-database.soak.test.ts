import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { startTcpPostgres } from "../../testing/faults.ts";
import { silentLog } from "../../testing/index.ts";
import { effectJob, testJobs } from "../../testing/job-worker.ts";
import { startProcess } from "../../testing/process.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { openListener } from "../db/listener.ts";
import { migrateDatabase } from "../db/migrate.ts";
import { openPool } from "../db/pool.ts";
import { createJobs } from "./jobs.ts";

test("two workers outlive a database that is away for thirty seconds: no job lost, none twice, none parked", async () => {
  const dataFolder = temporaryFolder();
  const first = await startTcpPostgres(dataFolder);
  await migrateDatabase(first.url);
  const { db, close } = openPool({ url: first.url, connections: 4, log: silentLog });
  const listener = openListener({ url: first.url, log: silentLog });
  const jobs = createJobs({ db, url: first.url, listener, definitions: testJobs, now: Date.now });
  await db.execute(sql`create table effects (n int, job_id text, claim int)`);
  const total = 400;
  await jobs.enqueueAll(
    effectJob,
    Array.from({ length: total }, (_, n) => ({ n, workMs: 200 })),
  );
  const script = join(import.meta.dirname, "..", "..", "testing", "job-worker.ts");
  const workers = [0, 1].map(() => startProcess(script, [first.url.reveal(), "30000"]));
  await vi.waitFor(async () => expect((await jobs.countByState()).done).toBeGreaterThan(40), 60_000);

  await first.stop();
  await delay(30_000);
  const second = await startTcpPostgres(dataFolder, first.port);
  await vi.waitFor(async () => expect(await jobs.countByState()).toMatchObject({ done: total, parked: 0 }), {
    timeout: 180_000,
    interval: 500,
  });
  const { rows } = await db.execute(
    sql`select count(*)::int as all, count(distinct n)::int as n from effects`,
  );
  expect(rows).toEqual([{ all: total, n: total }]);

  for (const worker of workers) await worker.kill("SIGTERM");
  await listener.close();
  await close();
  await second.stop();
});
