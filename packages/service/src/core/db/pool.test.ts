import { sql } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { failureOf } from "../../http/errors.ts";
import { silentLog, testDatabase } from "../../testing/index.ts";
import { repeatingOnce } from "./contention.ts";
import { outageOf } from "./outage.ts";
import { isConnectionFault, openPool } from "./pool.ts";
import { withoutQueryTimeout } from "./query-timeout.ts";

describe("the pool", () => {
  test("goes on after PostgreSQL terminates every connection, idle and in use", async () => {
    await using database = await testDatabase({ connections: 5 });
    await using other = await testDatabase();
    const { db } = database;
    await Promise.all(Array.from({ length: 5 }, () => db.execute(sql`select 1`)));
    const sleeper = db.execute(sql`select pg_sleep(60)`).catch((error: unknown) => error);
    // Asked from outside until the sleeper is seen and ended with the idle ones.
    const name = new URL(database.url.reveal()).pathname.slice(1);
    let ended = 0;
    while (ended < 5) {
      const { rowCount } = await other.pool.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1",
        [name],
      );
      ended += rowCount ?? 0;
    }
    expect(isConnectionFault(await sleeper)).toBe(true);
    const answers = await Promise.allSettled(Array.from({ length: 20 }, () => db.execute(sql`select 1`)));
    expect(answers.filter(({ status }) => status === "rejected").length).toBeLessThanOrEqual(5);
    expect((await db.execute(sql`select 2 as two`)).rows).toEqual([{ two: 2 }]);
  });

  test("gives up a query that has no answer in time, with its transaction, unless it was said to take long", async () => {
    await using database = await testDatabase();
    const options = { url: database.url, connections: 1, log: silentLog, patienceMs: 30_000, answerMs: 300 };
    const { db, pool, close } = openPool(options);
    const long = sql`select pg_sleep(1.2)`;
    const ways: [string, () => Promise<unknown>][] = [
      ["a statement", async () => db.execute(long)],
      ["a query of the driver", () => pool.query("select pg_sleep(1.2)")],
      ["a transaction", () => db.transaction(async (tx) => void (await tx.execute(long)))],
    ];
    await database.db.transaction(async (holder) => {
      await holder.execute(sql`select pg_advisory_xact_lock(1)`);
      const waiting = async () => db.execute(sql`select pg_advisory_xact_lock(1)`);
      await expect(waiting(), "a wait for what somebody holds").rejects.toSatisfy(
        (error) => outageOf(error) === "database_down",
      );
    });
    for (const [what, way] of ways) {
      await expect(way(), what).rejects.toSatisfy((error) => outageOf(error) === "database_down");
      await withoutQueryTimeout(way);
    }
    await close();
  });

  test("repeats a transaction once that PostgreSQL ended in a deadlock", async () => {
    await using database = await testDatabase();
    const tries = { one: 0, other: 0 };
    const holding = new Set<string>();
    const both = Promise.withResolvers<void>();
    const take = (who: keyof typeof tries, first: number, second: number) =>
      database.db.transaction(async (tx) => {
        tries[who] += 1;
        await tx.execute(sql`select pg_advisory_xact_lock(${first}::bigint)`);
        if (holding.add(who).size === 2) both.resolve();
        await both.promise;
        await tx.execute(sql`select pg_advisory_xact_lock(${second}::bigint)`);
        return who;
      });
    expect(await Promise.all([take("one", 1, 2), take("other", 2, 1)])).toEqual(["one", "other"]);
    expect(tries.one + tries.other).toBe(3);
  });

  test.each(["40P01", "40001"])(
    "answers %s with 503 and when to come back, if once more did not help",
    async (code) => {
      await using database = await testDatabase();
      await database.pool.query("create sequence tries");
      const raise = `do $$ begin perform nextval('tries'); raise exception 'no' using errcode = '${code}'; end $$`;
      const tries = async () =>
        Number((await database.pool.query("select last_value from tries")).rows[0].last_value);
      const ways: (() => Promise<unknown>)[] = [
        () => database.db.transaction((tx) => tx.execute(sql.raw(raise))),
        async () => database.db.execute(sql.raw(raise)),
        () => database.pool.query(raise),
      ];
      for (const [place, way] of ways.entries()) {
        const error = await way().catch((thrown: unknown) => thrown);
        expect(await tries()).toBe(2 * (place + 1));
        expect(failureOf(error, "req_1")).toMatchObject({
          status: 503,
          body: { code: "UNAVAILABLE", details: { reason: "contention" } },
          headers: { "retry-after": "1" },
        });
      }
    },
  );

  test("does not try again at once, and not all at the same moment", async () => {
    const deadlocked = Object.assign(new Error("deadlock detected"), { code: "40P01" });
    const pauseWith = async (chance: number) => {
      vi.spyOn(Math, "random").mockReturnValue(chance);
      const tries: number[] = [];
      await repeatingOnce(silentLog, async () => {
        tries.push(performance.now());
        if (tries.length === 1) throw deadlocked;
      });
      vi.restoreAllMocks();
      return tries[1]! - tries[0]!;
    };
    expect(await pauseWith(0)).toBeGreaterThan(5);
    expect(await pauseWith(0.99)).toBeGreaterThan(90);
  });

  test("gives every connection back, also when it is lost inside a transaction", async () => {
    await using database = await testDatabase({ connections: 2 });
    for (let round = 0; round < 6; round++) {
      const broken = database.db.transaction(async (tx) => {
        await tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`);
      });
      await expect(broken).rejects.toSatisfy(isConnectionFault);
    }
    expect((await database.db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }]);
  });

  test("gives the connection back when BEGIN itself fails", async () => {
    await using database = await testDatabase({ connections: 1 });
    const serializable = { isolationLevel: "no such level" as never };
    for (let round = 0; round < 3; round++) {
      await expect(database.db.transaction(async () => {}, serializable)).rejects.toThrow();
    }
    expect((await database.db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }]);
  });

  test("does not take a wrong statement for a lost database", async () => {
    await using database = await testDatabase();
    const wrong = await database.db
      .execute(sql`select * from no_such_table`)
      .catch((error: unknown) => error);
    expect(isConnectionFault(wrong)).toBe(false);
  });
});
