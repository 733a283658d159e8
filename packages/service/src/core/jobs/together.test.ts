/** @module Jobs are taken up and ended several at once; none of them pays for another. */
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { job, jobBench, untilAborted } from "../../testing/job-bench.ts";

/** Many small ones, numbered. */
const numbered = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

test("small jobs that end together are written in one transaction, and a backlog is not read again for each taking up", async () => {
  const none = job(async () => {});
  const { app, jobs, work } = await jobBench([none]);
  const total = 1_000;
  await jobs.enqueueAll(none, numbered(total));
  const worker = await work({ concurrency: 10 });
  await expect.poll(async () => (await jobs.countByState()).done).toBe(total);
  // What a connection has read is counted at the latest when it is closed.
  await worker.stop();
  const { rows } = await app.db.execute<{ writes: number; read: number }>(sql`
    select count(distinct xmin::text)::int as writes,
      (select idx_tup_read::int from pg_stat_user_indexes where indexrelname = 'jobs_waiting') as read
    from jobs`);
  expect(rows[0]!.writes).toBeLessThan(total / 3);
  // Sorting what waits for each hundred times ten would read fifty thousand; what is slow to be swept up is read again.
  expect(rows[0]!.read).toBeLessThan(25 * total);
});

test("a slow job holds up none of the small ones, and nothing is taken up that cannot start", async () => {
  const slow = gate();
  const unequal = job(async ({ input }) => {
    if (input.n === 0 || input.n === 10) await slow.opened;
  });
  const { jobs, work } = await jobBench([unequal]);
  await jobs.enqueueAll(unequal, numbered(100));
  await work({ concurrency: 3 });
  await expect.poll(() => jobs.countByState()).toMatchObject({ done: 98, running: 2 });
  // The last slot goes to one more slow one; what comes after stays free for other workers.
  await jobs.enqueue(unequal, { n: 10 });
  await jobs.enqueueAll(unequal, numbered(20).slice(1, 10));
  await expect.poll(() => jobs.countByState()).toMatchObject({ running: 3, waiting: 9 });
  slow.open();
  await expect.poll(() => jobs.countByState()).toMatchObject({ done: 110 });
});

test("of jobs that end together, one that another worker has by now is left alone", async () => {
  const contested = job(async ({ app, input, id }) => {
    if (input.n === 3)
      await app.db.execute(sql`update jobs set claim = claim + 1, worker = 'another' where id = ${id}`);
  });
  const { jobs, work } = await jobBench([contested]);
  const ids = await jobs.enqueueAll(contested, numbered(8));
  await work({ leaseMs: 60_000 });
  await expect.poll(() => jobs.countByState()).toMatchObject({ done: 7, running: 1 });
  expect(await jobs.get(ids[3]!)).toMatchObject({ state: "running", claim: 2, worker: "another" });
});

test("of jobs that end together, one whose end cannot be written keeps no other from ending", async () => {
  const none = job(async () => {});
  const { app, jobs, work } = await jobBench([none]);
  const ids = await jobs.enqueueAll(none, numbered(8));
  await app.db.execute(sql`create function refuse() returns trigger language plpgsql as $$ begin
    if new.state = 'done' and new.input = '{"n": 3}' then raise 'refused'; end if; return new; end $$`);
  await app.db.execute(
    sql`create trigger refuse before update on jobs for each row execute function refuse()`,
  );
  await work({ leaseMs: 60_000 });
  await expect.poll(() => jobs.countByState()).toMatchObject({ done: 7, running: 1 });
  expect((await jobs.get(ids[3]!))?.state).toBe("running");
});

test("a job ends as parked whatever characters its reason has", async () => {
  const failing = job(async () => {
    // The last character is where the text is cut.
    throw new Error(`${"NUL \0, half a pair \ud83d, ".padEnd(1_999, "x")}\u{1f600}`);
  }, 1);
  const { jobs, work, ended } = await jobBench([failing]);
  await work({ leaseMs: 60_000 });
  const { id } = await jobs.enqueue(failing, {});
  await ended(id, "parked");
  expect((await jobs.get(id))?.error?.message).toMatch(/^NUL \ufffd, half a pair \ufffd, x+\ufffd$/);
});

test("a job with an open transaction keeps neither leases nor ends from the others", async () => {
  const open = gate();
  const prolonged = gate();
  const claims: number[] = [];
  const kinds = job(async ({ input, claim, finish }) => {
    if (input.n === 0) await finish(() => open.opened);
    if (input.n !== 1) return;
    claims.push(claim);
    await prolonged.opened;
  });
  const { app, jobs, work, ended } = await jobBench([kinds]);
  // Long, so that a busy machine does not lose it; it is seen to be prolonged, and need not run out for that.
  const leaseMs = 12_000;
  await work({ leaseMs });
  const holding = await jobs.enqueue(kinds, { n: 0 });
  const long = await jobs.enqueue(kinds, { n: 1 });
  await ended(long.id, "running");
  await work({ leaseMs });
  const small = await jobs.enqueue(kinds, { n: 2 });
  await ended(small.id, "done");
  const leaseOf = async () => {
    const { rows } = await app.db.execute<{ until: string }>(
      sql`select lease_until::text as until from jobs where id = ${long.id}`,
    );
    return rows[0]!.until;
  };
  for (const _ of [1, 2]) {
    const before = await leaseOf();
    await expect.poll(leaseOf).not.toBe(before);
  }
  prolonged.open();
  await ended(long.id, "done");
  expect(claims).toEqual([1]);
  open.open();
  await ended(holding.id, "done");
});

test("leases are kept while every connection of the service is in use", async () => {
  const idle = gate();
  const claims: number[] = [];
  const long = job(async ({ claim, signal }) => {
    claims.push(claim);
    await delay(5_000, undefined, { signal });
  });
  const { app, database, jobs, work } = await jobBench([long]);
  await work({ leaseMs: 2_000 });
  await work({ leaseMs: 2_000 });
  const { id } = await jobs.enqueue(long, {});
  await vi.waitFor(() => expect(claims).toEqual([1]), 60_000);
  const used = Array.from({ length: 60 }, () => app.db.transaction(() => idle.opened));
  const state = async () =>
    (await database.pool.query("select state from jobs where id = $1", [id])).rows[0]?.state;
  await vi.waitFor(async () => expect(await state()).toBe("done"), 60_000);
  idle.open();
  await Promise.all(used);
  expect(claims).toEqual([1]);
});

test("a worker that was held up for longer than its lease does not run its own job beside itself", async () => {
  const claims: number[] = [];
  const { app, jobs, work, ended } = await jobBench([
    job(async ({ id, claim, signal }) => {
      claims.push(claim);
      // As if the process had had no processor all the while: whenever anybody looks, the lease has run out.
      const until = performance.now() + 5_000;
      while (performance.now() < until && !signal.aborted)
        await app.db.execute(sql`update jobs set lease_until = now() - interval '1 second' where id = ${id}`);
    }),
  ]);
  // Lost jobs are looked for thrice in a lease; a shorter one may run out on a busy machine before the job has begun.
  await work({ leaseMs: 3_000 });
  const { id } = await jobs.enqueue(
    job(async () => {}),
    {},
  );
  await ended(id, "done");
  expect(claims).toEqual([1]);
});

test("a worker takes nothing back from itself that it is just taking up", async () => {
  const claims: number[] = [];
  const counted = job(async ({ claim }) => {
    claims.push(claim);
  });
  const { jobs, work } = await jobBench([counted]);
  // Each lease has run out before its job begins, and lost jobs are looked for all the time.
  await work({ leaseMs: 1 });
  const total = 500;
  for (let n = 0; n < total; n++) await jobs.enqueue(counted, { n });
  await expect.poll(() => jobs.countByState()).toMatchObject({ waiting: 0, running: 0 });
  expect(claims.filter((claim) => claim > 1)).toEqual([]);
  expect(await jobs.countByState()).toMatchObject({ done: total });
});

test("a job handed back at a stop wakes the workers that are left", async () => {
  const long = job(async ({ input, claim, signal }) => {
    if (input.n === 0 && claim === 1) await untilAborted(signal);
  });
  const { jobs, work, ended } = await jobBench([long]);
  const first = await work({ concurrency: 1, drainMs: 10, leaseMs: 60_000 });
  const { id } = await jobs.enqueue(long, { n: 0 });
  await ended(id, "running");
  await work({ leaseMs: 60_000 });
  // Only the second has room for it, so once this has ended the second is there and idle.
  const probe = await jobs.enqueue(long, { n: 1 });
  await ended(probe.id, "done");
  await first.stop();
  await ended(id, "done");
});
