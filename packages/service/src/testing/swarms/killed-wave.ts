/** @module A wave whose workers are killed and stopped again and again, and what must be true of it afterwards. */
import { setTimeout as delay } from "node:timers/promises";
import { swarmLimits } from "@fettle/contract/visitors";
import { expect, vi } from "vitest";
import { endLostRuns } from "../../runs/life/watchdog.ts";
import { journeyRunKind } from "../../visitors/journey-runs/kind.ts";
import { type KillableWorkers, killableWorkers } from "../killable-workers.ts";
import { brief, journeysOf } from "./journey-bench.ts";

export interface KilledWave {
  /** Workers that were killed, and workers that were told to stop. */
  gone: number;
  /** The most that any run was held to have failed when its worker went: one that gets further is forgiven. */
  mostFailures: number;
  /** Answers of the model beyond those that the sessions need: asked for, and lost with a worker on their way. */
  lostAnswers: number;
}

interface Size {
  runs: number;
  places: number;
  sessionsPerTarget: number;
  /** Workers go once so many more sessions have ended. */
  endedBetween: number;
}

/** Two words of the visitor, and two answers of the assistant. */
const answersPerSession = 4;

export async function killWave(size: Size): Promise<KilledWave> {
  await using stack = new AsyncDisposableStack();
  const workers = await killableWorkers(stack, 1_000);
  const { bench, stub, database, startWorker } = workers;
  const journeys = journeysOf(bench);
  let asked = 0;
  stub.onModel = (_, body) => {
    asked += 1;
    return brief(body);
  };
  // Long enough for visitors to be in the middle of something when their worker goes.
  stub.onCall = () => delay(100, undefined);
  const launched = await launchWave(workers, size);
  const total = size.runs * size.places * size.sessionsPerTarget;
  const ended = async () => {
    const { rows } = await database.db.$client.query(
      "select count(*)::int as sessions from journey_attempts where state not in ('pending', 'running')",
    );
    return rows[0].sessions;
  };
  const wait = { timeout: 120_000, interval: 20 };
  let gone = 0;
  let mostFailures = 0;
  for (let until = size.endedBetween; until < total; until += size.endedBetween) {
    const worker = await startWorker();
    await vi.waitFor(async () => expect(await ended()).toBeGreaterThanOrEqual(until), wait);
    await worker.kill(gone % 2 === 0 ? "SIGKILL" : "SIGTERM");
    gone += 1;
    const { rows } = await database.db.$client.query("select max(failures)::int as failures from jobs");
    mostFailures = Math.max(mostFailures, rows[0].failures);
  }
  const last = await startWorker();
  for (const id of launched) {
    expect(await journeys.settled(id, 240_000)).toMatchObject({
      status: "completed",
      counts: { succeeded: size.places * size.sessionsPerTarget },
    });
  }
  const lostAnswers = asked - total * answersPerSession;
  // Of a worker that is killed, those that are on their way; one that stops waits for them.
  expect(lostAnswers).toBeLessThanOrEqual(
    Math.ceil(gone / 2) * size.runs * Math.min(size.places, swarmLimits.targetsAtOnce),
  );
  const { rows } = await database.db.$client.query(
    "select count(*)::int as kept from journey_attempt_traces",
  );
  expect(rows[0].kept).toBe(total);
  await takesUpWhatWasLeft(workers, last);
  return { gone, mostFailures, lostAnswers };
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

/** Nobody comes for ten minutes after the last worker was killed: whoever comes then goes on, and pays for nothing again. */
async function takesUpWhatWasLeft(
  workers: KillableWorkers,
  worker: { kill(signal: "SIGKILL"): Promise<unknown> },
): Promise<void> {
  const { bench, database, stub, startWorker } = workers;
  const called = Promise.withResolvers<void>();
  stub.onCall = () => {
    called.resolve();
    return delay(600_000, undefined, { ref: false });
  };
  let asked = 0;
  stub.onModel = (_, body) => {
    asked += 1;
    return brief(body);
  };
  const [id = ""] = await launchWave(workers, { runs: 1, places: 1, sessionsPerTarget: 2, endedBetween: 1 });
  await called.promise;
  await worker.kill("SIGKILL");
  expect(asked, "the visitor's first words, and the assistant's wish to call a tool").toBe(2);
  await database.db.$client.query(
    "update jobs set lease_until = now() - interval '10 minutes' where state = 'running'",
  );
  const { app } = bench.service;
  await endLostRuns({ ...app, now: () => app.now() + 600_000 }, journeyRunKind);
  stub.onCall = () => undefined;
  await startWorker();
  expect(await journeysOf(bench).settled(id)).toMatchObject({ status: "completed", stale: false });
  expect(asked).toBe(2 * answersPerSession);
}
