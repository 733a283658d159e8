import { fork } from "node:child_process";
import { once } from "node:events";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../testing/index.ts";
import { type Bucket, takeSql } from "./bucket.ts";
import { buckets, forgetIdleBuckets, keyBucket, takeToken } from "./limits.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

async function take(bucket: Bucket, owner: string): Promise<{ allowed: boolean; retry_after: number }> {
  const text = takeSql(bucket, "(SELECT $1::text AS owner) AS asked");
  const { rows } = await database.pool.query(text, [owner]);
  return rows[0];
}

/** Turns the clock for one owner: moving the last refill back is the same as time going on. */
async function pass(bucket: Bucket, owner: string, seconds: number): Promise<void> {
  await database.pool.query(
    "UPDATE rate_limits SET refilled_at = refilled_at - $2 * interval '1 second' WHERE id = $1",
    [`${bucket.name}:${owner}`, seconds],
  );
}

test("a key may burst ten times, then once a second", async () => {
  const bucket = keyBucket({ keyPerMinute: 60, keyBurst: 10 });
  const burst = await Promise.all(Array.from({ length: 25 }, () => take(bucket, "burst")));
  // A second may pass while 25 calls run on a busy machine; then one more is right.
  const allowed = burst.filter((taken) => taken.allowed).length;
  expect(allowed).toBeGreaterThanOrEqual(10);
  expect(allowed).toBeLessThanOrEqual(11);
  expect(burst.filter((taken) => !taken.allowed).map((taken) => taken.retry_after)).toEqual(
    Array.from({ length: 25 - allowed }, () => 1),
  );
  await pass(bucket, "burst", 1);
  expect((await take(bucket, "burst")).allowed).toBe(true);
});

test("a fixed window gives everything back at once, and says how long until then", async () => {
  const bucket: Bucket = { name: "window", capacity: 3, refill: 3, seconds: 60 };
  for (let call = 0; call < 3; call++) expect((await take(bucket, "w")).allowed).toBe(true);
  await pass(bucket, "w", 20);
  const refused = await take(bucket, "w");
  expect(refused.allowed).toBe(false);
  expect(refused.retry_after).toBeGreaterThanOrEqual(39);
  expect(refused.retry_after).toBeLessThanOrEqual(40);
  await pass(bucket, "w", 40);
  for (let call = 0; call < 3; call++) expect((await take(bucket, "w")).allowed).toBe(true);
  expect((await take(bucket, "w")).allowed).toBe(false);
});

test("a clock that is set back keeps nobody out", async () => {
  const bucket: Bucket = { name: "back", capacity: 1, refill: 1, seconds: 10 };
  await take(bucket, "b");
  await pass(bucket, "b", -3600);
  expect((await take(bucket, "b")).retry_after).toBeLessThanOrEqual(10);
});

test("over any sequence of waits and calls, exactly as many pass as the bucket's model says", async () => {
  let run = 0;
  const shape = fc.record({
    capacity: fc.integer({ min: 1, max: 5 }),
    refill: fc.integer({ min: 1, max: 5 }),
    waits: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 25 }),
  });
  await fc.assert(
    fc.asyncProperty(shape, async ({ capacity, refill, waits }) => {
      const bucket: Bucket = { name: "model", capacity, refill, seconds: 1000 };
      const owner = `run-${run++}`;
      let tokens = capacity;
      for (const periods of waits) {
        await pass(bucket, owner, periods * bucket.seconds);
        tokens = Math.min(capacity, tokens + periods * refill);
        expect((await take(bucket, owner)).allowed).toBe(tokens >= 1);
        tokens = Math.max(0, tokens - 1);
      }
    }),
    { numRuns: 40 },
  );
});

test("four processes that ask at once are given the capacity together, not each", async () => {
  const { capacity } = buckets.signInTogether;
  const children = Array.from({ length: 4 }, () =>
    fork(new URL("./take-in-process.ts", import.meta.url), {
      env: { ...process.env, DATABASE_URL: database.url.reveal() },
    }),
  );
  await Promise.all(children.map((child) => once(child, "message")));
  for (const child of children) child.send("go");
  const counts = await Promise.all(
    children.map(async (child) => (await once(child, "message"))[0] as number),
  );
  await Promise.all(children.map((child) => child.exitCode ?? once(child, "exit")));
  expect(counts.reduce((sum, count) => sum + count)).toBe(capacity);
});

test("the table is not written to the log, and its rows are rewritten in place", async () => {
  const { rows } = await database.pool.query(
    "SELECT relpersistence, reloptions FROM pg_class WHERE relname = 'rate_limits'",
  );
  expect(rows).toEqual([{ relpersistence: "u", reloptions: ["fillfactor=50"] }]);
});

test("callers not seen for an hour are forgotten, others are not", async () => {
  await takeToken(database.pool, "guest", "gone");
  await takeToken(database.pool, "guest", "here");
  await pass(buckets.guest, "gone", 3601);
  expect(await forgetIdleBuckets(database.pool)).toBeGreaterThanOrEqual(1);
  const { rows } = await database.pool.query("SELECT id FROM rate_limits WHERE id LIKE 'guest:%'");
  expect(rows).toEqual([{ id: "guest:here" }]);
});
