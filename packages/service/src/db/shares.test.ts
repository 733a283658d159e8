import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { silentLog, testDatabase } from "../testing/index.ts";
import { outageOf } from "./outage.ts";
import { openPool } from "./pool.ts";
import { asCaller } from "./shares.ts";

test("a burst of one caller holds half of the connections, and another is served as if it were alone", async () => {
  await using database = await testDatabase({ connections: 4 });
  const { db, pool } = database;
  const order: string[] = [];
  const burst = Array.from({ length: 40 }, () =>
    asCaller("one", async () => {
      await db.execute(sql`select pg_sleep(0.02)`);
      order.push("one");
    }),
  );
  await expect.poll(() => pool.totalCount).toBeGreaterThan(0);
  await asCaller("other", async () => {
    for (let call = 0; call < 5; call++) await db.execute(sql`select 1`);
  });
  order.push("other");
  await Promise.all(burst);
  expect(order.indexOf("other")).toBeLessThan(20);
  expect(pool.totalCount).toBeLessThanOrEqual(3);
});

test("who holds a connection and needs another gets it before those who wait for their first", async () => {
  await using database = await testDatabase({ connections: 4 });
  const { db } = database;
  const nested = () =>
    asCaller("one", () => db.transaction(async () => (await db.execute(sql`select 1 as one`)).rows));
  expect(await Promise.all([nested(), nested()])).toHaveLength(2);
});

test("a pool that is exhausted is busy, not a database that is down; the wait is bounded", async () => {
  await using database = await testDatabase();
  const { db, close } = openPool({
    url: database.url,
    connections: 2,
    log: silentLog,
    patienceMs: 400,
  });
  const burst = Array.from({ length: 12 }, () =>
    db.execute(sql`select pg_sleep(0.2)`).then(() => "served", outageOf),
  );
  const told = await Promise.all(burst);
  expect(new Set(told)).toEqual(new Set(["served", "busy"]));
  await close();
});
