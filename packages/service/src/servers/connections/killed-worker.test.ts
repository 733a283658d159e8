import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBookshop } from "@fettle/samples";
import { expect, it } from "vitest";
import { connectingPerson } from "../../testing/connecting.ts";
import { testDatabase } from "../../testing/database.ts";
import { startGate } from "../../testing/gate.ts";
import { startProcess } from "../../testing/process.ts";
import { testService } from "../../testing/service.ts";

const leaseMs = 1_500;
const script = join(import.meta.dirname, "..", "..", "testing", "app-worker.ts");

it("goes on where a worker was killed while it looked at the server", async () => {
  await using stack = new AsyncDisposableStack();
  const database = await testDatabase();
  stack.defer(() => database.close());
  const env = { FETTLE_SECRET_KEY: "k".repeat(40), FETTLE_LIMIT_KEY_BURST: "10000" };
  const service = await testService({ env, database });
  stack.defer(() => service.close());
  const shop = await startBookshop();
  stack.defer(() => shop.close());
  const gate = await startGate(shop.url);
  stack.defer(() => gate.close());
  const home = mkdtempSync(join(tmpdir(), "fettle-worker-"));
  stack.defer(() => rmSync(home, { recursive: true, force: true }));
  const worker = startProcess(script, [String(leaseMs)], {
    env: { ...env, FETTLE_HOME: home, DATABASE_URL: database.url.reveal() },
  });
  stack.defer(() => worker.kill());
  await worker.line(/^ready$/);

  gate.mode = "hold";
  const person = await connectingPerson(service);
  const { body } = await person.ask({ url: gate.url, projectId: person.projectId });
  await expect.poll(() => gate.count, { timeout: 60_000 }).toBeGreaterThan(0);
  await worker.kill("SIGKILL");
  gate.mode = "pass";
  const survivor = await service.app.jobs.work(service.app, { leaseMs });
  stack.defer(() => survivor.stop());
  const ready = await person.until(body.connectionRequestId, "ready", 20_000);
  const servers = await service.call(`/api/v1/projects/${person.projectId}/servers`, { key: person.key });
  expect(servers.body.items.map(({ id }: { id: string }) => id)).toEqual([ready.serverId]);
});
