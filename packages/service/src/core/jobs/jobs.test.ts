import { setTimeout as delay } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { testDatabase } from "../../testing/index.ts";
import { job, jobBench, untilAborted } from "../../testing/job-bench.ts";
import { defineJob, PermanentFailure } from "./define.ts";
import { pruneJobs } from "./prune.ts";

test("what ended is forgotten after a week, what failed for good after ninety days, and the rest never", async () => {
  const none = job(async () => {});
  const { app, jobs, work, ended } = await jobBench([none, pruneJobs]);
  const planted = async (state: string, days: number | null) => {
    const { id } = await jobs.enqueue(none, {}, { startAfter: Date.now() + 1_000_000 });
    const finishedAt = days === null ? sql`null` : sql`now() - ${days} * interval '1 day'`;
    await app.db.execute(sql`update jobs set state = ${state}, finished_at = ${finishedAt} where id = ${id}`);
    return async () => ((await jobs.get(id)) ? `${state} ${days}` : undefined);
  };
  const all = [
    await planted("done", 6.9),
    await planted("done", 7.1),
    await planted("cancelled", 6.9),
    await planted("cancelled", 7.1),
    await planted("parked", 89),
    await planted("parked", 91),
    await planted("waiting", null),
    await planted("running", null),
  ];
  await work();
  const { id } = await jobs.enqueue(pruneJobs, {});
  await ended(id, "done");
  const left = await Promise.all(all.map((isThere) => isThere()));
  expect(left.filter((one) => one !== undefined)).toEqual([
    "done 6.9",
    "cancelled 6.9",
    "parked 89",
    "waiting null",
    "running null",
  ]);
});

describe("enqueuing", () => {
  test("a job runs once, soon, with its input", async () => {
    const seen: unknown[] = [];
    const count = job(async ({ input }) => void seen.push(input));
    const { jobs, work, ended } = await jobBench([count]);
    await work();
    const { id } = await jobs.enqueue(count, { n: 7 });
    await ended(id, "done");
    expect(seen).toEqual([{ n: 7 }]);
    expect(await jobs.get(id)).toMatchObject({ claim: 1, failures: 0, error: null });
  });

  test("a job enqueued in a transaction exists if and only if the transaction commits", async () => {
    const ran: unknown[] = [];
    const count = job(async ({ input }) => void ran.push(input.n));
    const { app, jobs, work, ended } = await jobBench([count]);
    await work();
    const rolledBack = app.db.transaction(async (tx) => {
      await jobs.enqueue(count, { n: 1 }, { inTransaction: tx });
      throw new Error("no");
    });
    await expect(rolledBack).rejects.toThrow("no");
    const { id } = await app.db.transaction((tx) => jobs.enqueue(count, { n: 2 }, { inTransaction: tx }));
    await ended(id, "done");
    expect(ran).toEqual([2]);
  });

  test("a singleton key admits one at a time, and another when that has ended", async () => {
    const none = job(async () => {});
    const { jobs, work, ended } = await jobBench([none]);
    const all = await Promise.all(
      Array.from({ length: 8 }, () => jobs.enqueue(none, {}, { singletonKey: "one" })),
    );
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    expect(all.filter(({ isNew }) => isNew)).toHaveLength(1);
    await work();
    await ended(all[0]!.id, "done");
    expect(await jobs.enqueue(none, {}, { singletonKey: "one" })).toMatchObject({ isNew: true });
  });

  test("a job to be started later starts then, not before, and not at the next poll", async () => {
    let startedAt = 0;
    const note = job(async () => {
      startedAt = Date.now();
    });
    const { jobs, work, ended } = await jobBench([note]);
    await work();
    const due = Date.now() + 400;
    const { id } = await jobs.enqueue(note, {}, { startAfter: due });
    await ended(id, "done");
    expect(startedAt - due).toBeGreaterThanOrEqual(-2);
    // A poll would come after 30 s.
    expect(startedAt - due).toBeLessThan(5_000);
  });

  test("a backlog is worked off without pauses, never more at once than allowed", async () => {
    let now = 0;
    let most = 0;
    const brief = job(async () => {
      most = Math.max(most, ++now);
      await delay(1);
      now--;
    });
    const { jobs, work } = await jobBench([brief]);
    await jobs.enqueueAll(
      brief,
      Array.from({ length: 300 }, (_, n) => ({ n })),
    );
    const startedAt = performance.now();
    await work({ concurrency: 3 });
    await vi.waitFor(
      async () => expect(await jobs.countByState()).toMatchObject({ done: 300, waiting: 0 }),
      60_000,
    );
    expect(most).toBe(3);
    // A pause of half a second after each three would take twice as long.
    expect(performance.now() - startedAt).toBeLessThan(25_000);
  });
});

describe("failing", () => {
  test("a failing job is tried as often as it may, then parked with its reason, and can be revived", async () => {
    let tries = 0;
    const failing = job(async () => {
      tries++;
      if (tries <= 3) throw new RangeError(`no. ${tries}, Bearer canary-1234567`);
    });
    const { jobs, work, ended } = await jobBench([failing]);
    await work();
    const { id } = await jobs.enqueue(failing, {});
    await ended(id, "parked");
    expect(tries).toBe(3);
    const [row] = await jobs.listParked();
    expect(row).toMatchObject({
      id,
      failures: 3,
      error: { name: "RangeError", message: "no. 3, Bearer [REDACTED]" },
    });
    expect(await jobs.unpark(id)).toBe(true);
    await ended(id, "done");
  });

  test("a permanent failure and an input that is not valid are parked at once", async () => {
    let tries = 0;
    const refuse = job(async () => {
      tries++;
      throw new PermanentFailure("there is no such server");
    });
    const { jobs, work, ended } = await jobBench([refuse]);
    await work();
    const refused = await jobs.enqueue(refuse, {});
    const invalid = await jobs.enqueue(refuse, { n: "seven" as never });
    await ended(refused.id, "parked");
    await ended(invalid.id, "parked");
    expect(tries).toBe(1);
    expect((await jobs.get(invalid.id))?.error?.message).toContain("not valid");
  });

  test("a try that takes too long is aborted and counts as failed", async () => {
    const slow = defineJob({
      ...job(async ({ signal }) => untilAborted(signal), 1),
      timeoutMs: 50,
    });
    const { jobs, work, ended } = await jobBench([slow]);
    await work();
    const { id } = await jobs.enqueue(slow, {});
    await ended(id, "parked");
    expect((await jobs.get(id))?.error?.message).toMatch(/timed out|aborted/);
  });
});

describe("cancelling", () => {
  test("a waiting job never runs", async () => {
    let ran = false;
    const never = job(async () => {
      ran = true;
    });
    const { jobs, work } = await jobBench([never]);
    const { id } = await jobs.enqueue(never, {});
    expect(await jobs.cancel(id)).toBe("cancelled");
    expect(await jobs.cancel(id)).toBeUndefined();
    await work();
    const after = await jobs.enqueue(never, {}, { startAfter: Date.now() + 100_000 });
    expect((await jobs.get(after.id))?.state).toBe("waiting");
    expect((await jobs.get(id))?.state).toBe("cancelled");
    expect(ran).toBe(false);
  });

  test("a running job is told at once through its signal, and ends as cancelled, not as failed", async () => {
    let started = () => {};
    const running = new Promise<void>((resolve) => {
      started = resolve;
    });
    const patient = job(async ({ signal }) => {
      started();
      await untilAborted(signal);
    });
    const { jobs, work, ended } = await jobBench([patient]);
    await work({ leaseMs: 60_000 });
    const { id } = await jobs.enqueue(patient, {});
    await running;
    expect(await jobs.cancel(id)).toBe("running");
    await ended(id, "cancelled");
    expect(await jobs.get(id)).toMatchObject({ failures: 0 });
  });

  test("a cancelled job that fails before it hears of it is not tried again", async () => {
    let fail = () => {};
    const told = new Promise<void>((resolve) => {
      fail = resolve;
    });
    const deaf = job(async () => {
      await told;
      throw new Error("unrelated");
    });
    const { app, jobs, work, ended } = await jobBench([deaf]);
    await work({ leaseMs: 60_000 });
    const { id } = await jobs.enqueue(deaf, {});
    await ended(id, "running");
    // Without the notification, as when the connection that carries it is down.
    await app.db.execute(sql`update jobs set cancel_requested_at = now() where id = ${id}`);
    fail();
    await ended(id, "cancelled");
  });
});

describe("holding a job", () => {
  test("a worker that lost its job to another can neither finish it nor write its outcome", async () => {
    let finished: unknown;
    const contested = job(async ({ app, claim, finish, id }) => {
      if (claim > 1) return;
      // What another worker's taking over looks like from here.
      await app.db.execute(sql`update jobs set claim = claim + 1, worker = 'another' where id = ${id}`);
      finished = await finish(async (tx) => {
        await tx.execute(sql`insert into effects values (1)`);
      }).catch((error: unknown) => error);
      throw new Error("and then it fails");
    });
    const { app, jobs, work } = await jobBench([contested]);
    await app.db.execute(sql`create table effects (n int)`);
    await work({ leaseMs: 60_000 });
    const { id } = await jobs.enqueue(contested, {});
    await vi.waitFor(() => expect(finished).toMatchObject({ name: "LeaseLost" }), 60_000);
    expect(await jobs.get(id)).toMatchObject({ state: "running", worker: "another", failures: 0 });
    expect((await app.db.execute(sql`select * from effects`)).rows).toEqual([]);
  });

  test("an effect that fails leaves neither itself nor an end behind, and is tried again", async () => {
    const effect = job(async ({ claim, finish }) => {
      await finish(async (tx) => {
        await tx.execute(sql`insert into effects values (${claim})`);
        if (claim === 1) throw new Error("half way");
      });
    });
    const { app, jobs, work, ended } = await jobBench([effect]);
    await app.db.execute(sql`create table effects (n int)`);
    await work();
    const { id } = await jobs.enqueue(effect, {});
    await ended(id, "done");
    expect((await app.db.execute(sql`select n from effects`)).rows).toEqual([{ n: 2 }]);
  });

  test("a stop waits for what ends soon, hands back the rest uncounted, and another worker goes on with it", async () => {
    const claims: number[] = [];
    const long = job(async ({ signal, claim }) => {
      claims.push(claim);
      if (claim === 1) await untilAborted(signal);
    }, 1);
    const { jobs, work, ended } = await jobBench([long]);
    const first = await work({ drainMs: 50 });
    const { id } = await jobs.enqueue(long, {});
    await ended(id, "running");
    await first.stop();
    expect(await jobs.get(id)).toMatchObject({ state: "waiting", failures: 0 });
    await work();
    await ended(id, "done");
    expect(claims).toEqual([1, 2]);
  });

  test("a job longer than its lease keeps it", async () => {
    const claims: number[] = [];
    const long = job(async ({ claim, signal }) => {
      claims.push(claim);
      await delay(2_000, undefined, { signal });
    });
    const { jobs, work, ended } = await jobBench([long]);
    await work({ leaseMs: 600 });
    await work({ leaseMs: 600 });
    const { id } = await jobs.enqueue(long, {});
    await ended(id, "done");
    expect(claims).toEqual([1]);
  });

  test("a worker goes on after PostgreSQL terminates every connection, and no job is lost or doubled", async () => {
    const effect = job(async ({ input, finish, signal }) => {
      await delay(5, undefined, { signal });
      await finish(async (tx) => void (await tx.execute(sql`insert into effects values (${input.n})`)));
    }, 50);
    const { app, database, jobs, work } = await jobBench([effect]);
    await app.db.execute(sql`create table effects (n int)`);
    await work({ concurrency: 4 });
    const name = new URL(database.url.reveal()).pathname.slice(1);
    await jobs.enqueueAll(
      effect,
      Array.from({ length: 200 }, (_, n) => ({ n })),
    );
    await using other = await testDatabase();
    for (let round = 0; round < 5; round++) {
      await other.pool.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [
        name,
      ]);
      await delay(100);
    }
    await vi.waitFor(async () => expect(await jobs.countByState()).toMatchObject({ done: 200 }), {
      timeout: 60_000,
      interval: 100,
    });
    const { rows } = await app.db.execute(
      sql`select count(*)::int as all, count(distinct n)::int as n from effects`,
    );
    expect(rows).toEqual([{ all: 200, n: 200 }]);
  });
});

describe("schedules", () => {
  test("a tick makes one job for all workers together", async () => {
    let ran = 0;
    const everySecond = defineJob({
      ...job(async () => {
        ran += 1;
      }),
      schedule: { cron: "* * * * * *", input: {} },
    });
    const { jobs, work } = await jobBench([everySecond]);
    const begun = Date.now();
    await Promise.all([work(), work(), work()]);
    await vi.waitFor(() => expect(ran).toBeGreaterThanOrEqual(3), 60_000);
    // As many as seconds have begun since: one that was held up may run in the second of the next.
    expect(ran).toBeLessThanOrEqual(Math.floor(Date.now() / 1_000) - Math.floor(begun / 1_000) + 1);
    expect(await jobs.countByState()).toMatchObject({ parked: 0 });
  });

  test("ticks missed while nothing ran are made up for by one, and a removed schedule is silent", async () => {
    let ran = 0;
    const counted = job(async () => {
      ran++;
    });
    const { app, jobs, work } = await jobBench([counted]);
    await jobs.schedule({
      key: "nightly",
      definition: counted,
      input: {},
      cron: "0 3 * * *",
      timezone: "Europe/Paris",
    });
    await jobs.schedule({ key: "gone", definition: counted, input: {}, cron: "0 3 * * *" });
    await app.db.execute(sql`update job_schedules set next_at = now() - interval '5 days'`);
    await jobs.unschedule("gone");
    await work();
    await vi.waitFor(() => expect(ran).toBe(1), 60_000);
    const { rows } = await app.db.execute(sql`select next_at > now() as ahead from job_schedules`);
    expect(rows).toEqual([{ ahead: true }]);
  });

  test("an expression that means nothing is refused when it is set", async () => {
    const none = job(async () => {});
    const { jobs } = await jobBench([none]);
    const wrong = { key: "x", definition: none, input: {} };
    await expect(jobs.schedule({ ...wrong, cron: "every day" })).rejects.toThrow();
    await expect(jobs.schedule({ ...wrong, cron: "0 3 * * *", timezone: "Mars/Base" })).rejects.toThrow();
  });
});
