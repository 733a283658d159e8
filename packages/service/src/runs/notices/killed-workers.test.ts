import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { testApp } from "../../testing/app.ts";
import { testDatabase } from "../../testing/database.ts";
import { hurryDeliveries, startReceiver } from "../../testing/notices/receiver.ts";
import { startProcess } from "../../testing/process.ts";
import { makeWorld } from "../../testing/world.ts";
import { tell } from "./tell.ts";
import { createWebhook } from "./webhooks.ts";

const leaseMs = "1500";
const events = 6;

test("workers that are killed with SIGKILL, between tries and during one, lose no event and make none of their own", {
  timeout: 240_000,
}, async () => {
  let mood: "dead" | "silent" | "well" = "dead";
  await using receiver = await startReceiver((_, response) => {
    // A silent one keeps the worker waiting until that is killed; a dead one says when it may be back.
    if (mood === "dead") response.writeHead(503, { "retry-after": "3600" }).end();
    if (mood === "well") response.writeHead(200).end();
  });
  const database = await testDatabase();
  onTestFinished(() => database.close());
  const env = { FETTLE_SECRET_KEY: "k".repeat(40) };
  await using app = await testApp({ env, database });
  const world = await makeWorld(app.db);
  const home = mkdtempSync(join(tmpdir(), "fettle-notices-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const startWorker = async () => {
    const worker = startProcess(
      join(import.meta.dirname, "..", "..", "testing", "app-worker.ts"),
      [leaseMs],
      {
        env: { ...env, FETTLE_HOME: home, DATABASE_URL: database.url.reveal() },
      },
    );
    onTestFinished(() => worker.kill().then(() => undefined));
    await worker.line(/^ready$/);
    return worker;
  };
  const hurry = () => hurryDeliveries(app.db);
  const stands = async () => {
    const { rows } = await app.db.execute(
      sql`select state, attempts, count(*)::int as count from webhook_deliveries group by 1, 2 order by 1, 2`,
    );
    return rows;
  };
  const until = (rows: object[]) =>
    vi.waitFor(async () => expect(await stands()).toEqual(rows), { timeout: 60_000, interval: 100 });

  const who = { projectId: world.projectId, userId: world.people.owner.userId };
  await createWebhook(app, app.db, who, { name: "CI", url: receiver.url, events: ["tunnel.dropped"] });
  const first = await startWorker();
  for (let n = 0; n < events; n++) {
    const data = { server: { id: `srv_${n}`, name: `shop ${n}` }, url: "https://fettle.example.com/" };
    await app.db.transaction((tx) => tell(app, tx, world.projectId, "tunnel.dropped", data));
  }
  await until([{ state: "waiting", attempts: 1, count: events }]);
  await first.kill("SIGKILL");

  // Killed with a try under way.
  mood = "silent";
  await hurry();
  const second = await startWorker();
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(events), { timeout: 60_000 });
  await second.kill("SIGKILL");

  mood = "well";
  await startWorker();
  await until([{ state: "delivered", attempts: 2, count: events }]);
  const times = new Map<string, number>();
  for (const { id } of receiver.received) times.set(id, (times.get(id) ?? 0) + 1);
  expect(times.size).toBe(events);
  // Once when it was dead, once when it was well; and those that were under way when their worker was killed, one for each of its slots.
  const underWay = receiver.received.length - 2 * events;
  expect([1, 2]).toContain(underWay);
  expect([...times.values()].filter((count) => count === 3)).toHaveLength(underWay);
});
