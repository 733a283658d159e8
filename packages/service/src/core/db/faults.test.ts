import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { Secret } from "@fettle/contract/secrets";
import { sql } from "drizzle-orm";
import { describe, expect, onTestFinished, test } from "vitest";
import { killOnEmbedded, killOnExternal, startTcpPostgres, type Victim } from "../../testing/faults.ts";
import { silentLog, testDatabase } from "../../testing/index.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { isConnectionFault, openPool } from "./pool.ts";

// Twenty rounds of each are in faults.soak.test.ts.
const rounds = 1;

describe.each<Victim>(["writer", "database"])(
  "killing the %s under a stream of acknowledged writes",
  (victim) => {
    test("loses none and leaves no process, on the embedded database", async () => {
      const survey = await killOnEmbedded(rounds, victim);
      expect(survey).toMatchObject({ lost: [], left: [] });
      expect(survey.acknowledged).toBeGreaterThanOrEqual(50 * (rounds + 1));
    });

    test("loses none and leaves no process, on an external PostgreSQL", async () => {
      const survey = await killOnExternal(rounds, victim);
      expect(survey).toMatchObject({ lost: [], left: [] });
      expect(survey.acknowledged).toBeGreaterThanOrEqual(50 * (rounds + 1));
    });
  },
);

test("a query asked while PostgreSQL is stopped is answered when it is back", async () => {
  const dataFolder = temporaryFolder();
  const first = await startTcpPostgres(dataFolder);
  const { db, close } = openPool({ url: first.url, connections: 3, log: silentLog, patienceMs: 40_000 });
  await db.execute(sql`select 1`);
  await first.stop();
  const asked = db.execute(sql`select 7 as seven`);
  const second = await startTcpPostgres(dataFolder, first.port);
  expect((await asked).rows).toEqual([{ seven: 7 }]);
  await close();
  await second.stop();
});

test("connections whose other end fell silent are given up, and the pool goes on with new ones", async () => {
  await using database = await testDatabase();
  const target = new URL(database.url.reveal());
  const socket = join(target.searchParams.get("host")!, `.s.PGSQL.${target.port || 5432}`);
  // Between the pool and PostgreSQL, so that both ends stay open while nothing passes.
  const passing = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(socket);
    passing.add(server);
    client.pipe(server).pipe(client);
    for (const end of [client, server]) end.on("error", () => {});
    client.on("close", () => server.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void proxy.close());
  const { port } = proxy.address() as { port: number };
  const { db, close } = openPool({
    url: new Secret(`postgres://${target.username}@127.0.0.1:${port}${target.pathname}`),
    connections: 2,
    log: silentLog,
    queryTimeoutMs: 400,
  });
  await Promise.all([db.execute(sql`select 1`), db.execute(sql`select 1`)]);
  for (const server of passing) {
    server.unpipe();
    server.pause();
  }
  const stuck = await Promise.all([
    db.execute(sql`select 1`).catch((error: unknown) => error),
    db.transaction((tx) => tx.execute(sql`select 1`)).catch((error: unknown) => error),
  ]);
  expect(stuck.map(isConnectionFault)).toEqual([true, true]);
  for (let round = 0; round < 4; round++) {
    expect((await db.execute(sql`select 2 as two`)).rows).toEqual([{ two: 2 }]);
  }
  expect(await db.transaction((tx) => tx.execute(sql`select 3 as three`))).toMatchObject({
    rows: [{ three: 3 }],
  });
  await close();
});
