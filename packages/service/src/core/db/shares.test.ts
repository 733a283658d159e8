import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { silentLog, testDatabase } from "../../testing/index.ts";
import { outageOf } from "./outage.ts";
import { type Database, openPool } from "./pool.ts";
import { asCaller, ConnectionsBusy, createShares, type Place } from "./shares.ts";

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

test("a request with many queries in flight holds no more than a caller's share", async () => {
  await using database = await testDatabase({ connections: 8 });
  const { db, pool } = database;
  await asCaller("one", () =>
    Promise.all(Array.from({ length: 20 }, () => db.execute(sql`select pg_sleep(0.02)`))),
  );
  expect(pool.totalCount).toBe(4);
});

const nestings: [how: string, work: (db: Database) => Promise<unknown>][] = [
  ["one query after another", async (db) => db.transaction(async () => db.execute(sql`select 1`))],
  [
    "queries at once",
    (db) => db.transaction(() => Promise.all([1, 2, 3].map((one) => db.execute(sql`select ${one}`)))),
  ],
  ["a transaction of its own", (db) => db.transaction(() => db.transaction(() => db.execute(sql`select 1`)))],
];

test.each(nestings)("transactions that ask for more than their own connection end: %s", async (_, work) => {
  await using database = await testDatabase({ connections: 8 });
  const { db, pool } = database;
  await asCaller("one", () => Promise.all(Array.from({ length: 12 }, () => work(db))));
  // Its share, and the one beyond it with what is asked inside of that.
  expect(pool.totalCount).toBeLessThanOrEqual(6);
});

test.each(nestings)("and so they do for several callers at once: %s", async (_, work) => {
  await using database = await testDatabase({ connections: 8 });
  const { db } = database;
  const names = Array.from({ length: 10 }, (_name, index) => `caller ${index}`);
  await Promise.all(names.flatMap((name) => Array.from({ length: 3 }, () => asCaller(name, () => work(db)))));
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

test("who waits in vain hears that the service is busy if somebody was served meanwhile, and of the database if nobody was", async () => {
  const { enter } = createShares(2);
  const [one, other] = await Promise.all([enter(1), enter(1)]);
  // Nobody has heard from the database: it may be down.
  expect(await enter(20)).toBeUndefined();
  const late = enter(60_000).catch(() => undefined);
  const busy = enter(20);
  one?.leave(true);
  const held = await late;
  await expect(busy).rejects.toBeInstanceOf(ConnectionsBusy);
  held?.leave(true);
  other?.leave(true);
});

test("one caller alone holds half of the connections, and a quarter beside others", async () => {
  const { enter } = createShares(8);
  const held: Place[] = [];
  const ask = (name: string) =>
    asCaller(name, () => enter(60_000).catch(() => undefined)).then((place) => {
      held.push(place!);
      return place!;
    });
  for (let call = 0; call < 12; call++) void ask("one");
  await expect.poll(() => held.length).toBe(4);
  const other = await ask("other");
  expect(held).toHaveLength(5);
  other.leave(true);
  // Of its four, three end before it is served again.
  const [first, second, third] = held;
  first!.leave(true);
  second!.leave(true);
  await Promise.resolve();
  expect(held).toHaveLength(5);
  third!.leave(true);
  await expect.poll(() => held.length).toBe(6);
});

test("who waits is served in turn, caller by caller, however long the queue of one is", async () => {
  const { enter } = createShares(1);
  const order: string[] = [];
  const work = (name: string) =>
    asCaller(name, async () => {
      const place = await enter(60_000);
      order.push(name);
      place?.leave(true);
    });
  const first = await enter(1);
  const waiting = [..."aaaabbc"].map(work);
  first?.leave(true);
  await Promise.all(waiting);
  expect(order.join("")).toBe("abcabaa");
});

test("who holds a connection gets one more at a time, however many are asked for inside", async () => {
  const { enter } = createShares(16);
  const places: Place[] = [];
  await asCaller("one", async () => {
    const outer = await enter(60_000);
    outer!.inside(() => {
      for (let call = 0; call < 3; call++) void enter(60_000).then((place) => places.push(place!));
    });
    await expect.poll(() => places.length).toBe(1);
    for (const already of [1, 2]) {
      expect(places).toHaveLength(already);
      places[already - 1]!.leave(true);
      await expect.poll(() => places.length).toBe(already + 1);
    }
    places[2]!.leave(true);
    outer!.leave(true);
  });
});
