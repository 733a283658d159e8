/** @module A wave whose workers are killed again and again, and what must be true of it afterwards. */
import { setTimeout as delay } from "node:timers/promises";
import { expect, vi } from "vitest";
import { endSilentRuns } from "../../journey-runs/close.ts";
import { type KillableWorkers, killableWorkers } from "../killable-workers.ts";
import { brief, isFirstWords, journeysOf } from "./journey-bench.ts";

export interface KilledWave {
  killed: number;
  /** The most that any run was held to have failed when its worker died: one that gets further is forgiven. */
  mostFailures: number;
  succeeded: number;
  lost: number;
}

interface Size {
  runs: number;
  places: number;
  sessionsPerTarget: number;
  /** Workers die once so many more sessions have ended. */
  endedBetween: number;
}

export async function killWave(size: Size): Promise<KilledWave> {
  await using stack = new AsyncDisposableStack();
  const workers = await killableWorkers(stack, 1_000);
  const { bench, stub, database, startWorker } = workers;
  const journeys = journeysOf(bench);
  let begun = 0;
  stub.onModel = (_, body) => {
    if (isFirstWords(body)) begun += 1;
    return brief(body);
  };
  // Long enough for visitors to be in the middle of something when their worker dies.
  stub.onCall = () => delay(100, undefined);
  const launched = await launchWave(workers, size);
  const total = size.runs * size.places * size.sessionsPerTarget;
  const count = async (state: string, error = "%") => {
    const { rows } = await database.db.$client.query(
      "select count(*)::int as sessions from journey_attempts where state like $1 and coalesce(error, '') like $2",
      [state, error],
    );
    return rows[0].sessions;
  };
  const ended = async () => total - (await count("pending")) - (await count("running"));
  const wait = { timeout: 120_000, interval: 20 };
  let killed = 0;
  let mostFailures = 0;
  for (let until = size.endedBetween; until < total; until += size.endedBetween) {
    const worker = await startWorker();
    await vi.waitFor(async () => expect(await ended()).toBeGreaterThanOrEqual(until), wait);
    await worker.kill("SIGKILL");
    killed += 1;
    const { rows } = await database.db.$client.query("select max(failures)::int as failures from jobs");
    mostFailures = Math.max(mostFailures, rows[0].failures);
  }
  const last = await startWorker();
  for (const id of launched) {
    const run = await journeys.settled(id, 240_000);
    expect(run.status).toMatch(/^(?:completed|partial)$/);
    expect(run.attempts).toHaveLength(size.places * size.sessionsPerTarget);
  }
  const [succeeded, lost] = [await count("succeeded"), await count("failed", "worker_lost")];
  expect(succeeded + lost, "none is missing").toBe(total);
  // Who had begun when its worker died has not begun again; who had only been called up may never have spoken.
  expect(begun).toBeGreaterThanOrEqual(succeeded);
  expect(begun, "none came twice").toBeLessThanOrEqual(total);
  expect(begun - succeeded).toBeLessThanOrEqual(lost);
  const { rows } = await database.db.$client.query(
    "select count(*)::int as kept from journey_attempt_traces",
  );
  expect(rows[0].kept).toBe(succeeded);
  await watchdogSettles(workers, last);
  return { killed, mostFailures, succeeded, lost };
}

async function launchWave({ bench, stub }: KillableWorkers, { runs, places, sessionsPerTarget }: Size) {
  const journeys = journeysOf(bench);
  const launched: string[] = [];
  for (let at = 0; at < runs; at += 1) {
    const environmentIds = await Promise.all(
      Array.from({ length: places }, () => journeys.environment({ modelId: stub.model })),
    );
    const journeyId = await journeys.journey({ environmentIds, sessionsPerTarget });
    const { status, body } = await bench.call("POST", `/journeys/${journeyId}/runs`, { waveId: "killed" });
    expect(status).toBe(202);
    launched.push(body.id);
  }
  return launched;
}

/** Nobody comes after the last worker: ninety seconds later its run is over all the same. */
async function watchdogSettles(
  workers: KillableWorkers,
  worker: { kill(signal: "SIGKILL"): Promise<unknown> },
): Promise<void> {
  const { bench, stub } = workers;
  const called = Promise.withResolvers<void>();
  stub.onCall = () => {
    called.resolve();
    return delay(600_000, undefined, { ref: false });
  };
  const [id = ""] = await launchWave(workers, { runs: 1, places: 1, sessionsPerTarget: 3, endedBetween: 1 });
  await called.promise;
  await worker.kill("SIGKILL");
  const { app } = bench.service;
  await endSilentRuns({ ...app, now: () => app.now() + 91_000 });
  expect(await journeysOf(bench).settled(id)).toMatchObject({
    status: "failed",
    error: "stale_runner",
    stale: true,
    counts: { failed: 3 },
    attempts: Array(3).fill({ state: "failed", error: "stale_runner" }),
  });
}
