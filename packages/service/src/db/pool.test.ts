import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { testDatabase } from "../testing/index.ts";
import { isConnectionFault } from "./pool.ts";

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
