/** @module A calibration whose workers are killed again and again. */
import { setTimeout as delay } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { endLostRuns } from "../../../runs/life/watchdog.ts";
import { killableWorkers } from "../../../testing/killable-workers.ts";
import { brief, isFirstWords, journeysOf } from "../../../testing/swarms/journey-bench.ts";
import { bookshopSessions } from "./bookshop.ts";
import { calibrationKind } from "./kind.ts";

it("workers killed in the middle of a calibration lose no session, and what nobody goes on with is ended by the watchdog", async () => {
  await using stack = new AsyncDisposableStack();
  const { bench, stub, database, startWorker } = await killableWorkers(stack, 1_000);
  let begun = 0;
  stub.onModel = (_, body) => {
    if (isFirstWords(body)) begun += 1;
    return brief(body);
  };
  // Long enough for a visitor to be in the middle of something when its worker dies.
  stub.onCall = () => delay(100, undefined);
  // Something that the recorded visitors used.
  stub.tools.push({ ...stub.tools[0]!, name: "get_book" });
  const environmentId = await journeysOf(bench).environment({ modelId: stub.model });
  const start = async () => (await bench.call("POST", "/calibrations", { environmentId })).body.id;
  const read = async (id: string) => (await bench.call("GET", `/calibrations/${id}`)).body;
  const wait = { timeout: 120_000, interval: 20 };
  const total = bookshopSessions.length;
  const id = await start();
  let killed = 0;
  for (let until = 7; until < total; until += 7) {
    const worker = await startWorker();
    await vi.waitFor(async () => {
      expect((await read(id)).sessionsPlayed).toBeGreaterThanOrEqual(until);
      // A worker that a busy machine holds up for a second counts as dead too, until its next session.
      const { rows } = await database.db.$client.query(
        "select id from jobs where singleton_key = $1 and state in ('waiting', 'running') and failures > 0",
        [id],
      );
      expect(rows, "a death is forgiven as soon as another session is played").toEqual([]);
    }, wait);
    await worker.kill("SIGKILL");
    killed += 1;
  }
  const last = await startWorker();
  const done = await vi.waitFor(async () => {
    const body = await read(id);
    expect(body.status).not.toBe("running");
    return body;
  }, wait);
  expect(done).toMatchObject({ status: "completed", sessionsPlayed: total, sessionsBroken: 0 });
  expect(done.report.sessions).toBe(total);
  const { rows } = await database.db.$client.query("select played from calibrations where id = $1", [id]);
  expect(new Set(rows[0].played.map((one: { id: string }) => one.id)).size, "none is counted twice").toBe(
    total,
  );
  expect(begun, "only who was under way is played again").toBeLessThanOrEqual(total + 2 * killed);

  const called = Promise.withResolvers<void>();
  stub.onCall = () => {
    called.resolve();
    return delay(600_000, undefined, { ref: false });
  };
  const lost = await start();
  await called.promise;
  await last.kill("SIGKILL");
  await endLostRuns(bench.service.app, calibrationKind);
  expect((await read(lost)).status, "another worker may go on with it").toBe("running");
  await database.db.$client.query("update calibrations set job_id = null where id = $1", [lost]);
  await endLostRuns(bench.service.app, calibrationKind);
  expect((await read(lost)).status, "a process of the version before says no job").toBe("running");
  await database.db.$client.query("update jobs set state = 'parked' where singleton_key = $1", [lost]);
  await endLostRuns(bench.service.app, calibrationKind);
  expect(await read(lost)).toMatchObject({ status: "failed", error: expect.stringContaining("died") });
});
