import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { silentLog, type TestDatabase, testDatabase } from "../../testing/index.ts";
import { effectJob, poisonJob, stuckJob, testJobs } from "../../testing/job-worker.ts";
import { startProcess, type TestProcess } from "../../testing/process.ts";
import { openListener } from "../db/listener.ts";
import { createJobs, type Jobs } from "./jobs.ts";

const script = join(import.meta.dirname, "..", "..", "testing", "job-worker.ts");
const leaseMs = 1_500;

async function bench(): Promise<{ database: TestDatabase; jobs: Jobs; worker(): Promise<TestProcess> }> {
  const database = await testDatabase();
  const listener = openListener({ url: database.url, log: silentLog });
  await database.db.execute(sql`create table effects (n int, job_id text, claim int)`);
  const started: TestProcess[] = [];
  onTestFinished(async () => {
    await Promise.all(started.map((process) => process.kill()));
    await listener.close();
    await database.close();
  });
  return {
    database,
    jobs: createJobs({ db: database.db, url: database.url, listener, definitions: testJobs, now: Date.now }),
    worker: async () => {
      const process = startProcess(script, [database.url.reveal(), String(leaseMs)]);
      started.push(process);
      await process.line(/^ready$/);
      return process;
    },
  };
}

async function effects(database: TestDatabase) {
  const { rows } = await database.db.execute<{ all: number; distinct: number; highest: number }>(
    sql`select count(*)::int as all, count(distinct n)::int as distinct, max(claim) as highest from effects`,
  );
  return rows[0]!;
}

test("workers killed under load lose no job and have no effect twice", async () => {
  const { database, jobs, worker } = await bench();
  const total = 80;
  await jobs.enqueueAll(
    effectJob,
    Array.from({ length: total }, (_, n) => ({ n, workMs: 40 })),
  );
  const survivor = await worker();
  for (let round = 0; round < 3; round++) {
    const victim = await worker();
    // Killed while it certainly holds jobs.
    await vi.waitFor(async () => {
      const { rows } = await database.db.execute(
        sql`select count(distinct worker)::int as n from jobs where state = 'running'`,
      );
      if ((await jobs.countByState()).waiting > 0) expect(rows).toEqual([{ n: 2 }]);
    }, 60_000);
    await victim.kill("SIGKILL");
  }
  await vi.waitFor(async () => expect(await jobs.countByState()).toMatchObject({ done: total }), {
    timeout: 60_000,
    interval: 100,
  });
  expect(await effects(database)).toMatchObject({ all: total, distinct: total });
  await survivor.kill("SIGTERM");
});

test("a job that takes its worker down with it is parked after its attempts", async () => {
  const { jobs, worker } = await bench();
  const { id } = await jobs.enqueue(poisonJob, {});
  for (let death = 1; death <= 3; death++) {
    const process = await worker().catch(() => undefined);
    await process?.exited;
  }
  // Nobody is left to take it back after the third, so one more worker comes.
  await worker();
  await vi.waitFor(async () => expect((await jobs.get(id))?.state).toBe("parked"), 60_000);
  expect(await jobs.get(id)).toMatchObject({ failures: 3, error: { name: "WorkerLost" } });
  expect((await jobs.listParked()).map((job) => job.id)).toEqual([id]);
});

test("a worker stuck for longer than its lease has no effect when it wakes", async () => {
  const { database, jobs, worker } = await bench();
  const stuck = await worker();
  const folder = mkdtempSync(join(tmpdir(), "fettle-stuck-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const until = join(folder, "wakes");
  const { id } = await jobs.enqueue(stuckJob, { n: 1, until });
  await stuck.line(new RegExp(`^stuck ${id}$`));
  await worker();
  await vi.waitFor(async () => expect((await jobs.get(id))?.state).toBe("done"), 60_000);
  expect((await effects(database)).highest).toBeGreaterThan(1);
  writeFileSync(until, "");
  // Its stop waits for the run that believed in the job, so whatever that could still do has been done.
  await stuck.kill("SIGTERM");
  expect(await effects(database)).toMatchObject({ all: 1, distinct: 1 });
});
