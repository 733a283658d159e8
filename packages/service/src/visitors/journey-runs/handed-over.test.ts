/** @module What becomes of sessions that are under way when their process stops, dies, or loses its run to another. */
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { type EvalBench, evalBench } from "../../testing/eval-bench.ts";
import { type EvalStub, startEvalStub } from "../../testing/eval-stub.ts";
import { brief, type Journeys, journeysOf } from "../../testing/swarms/journey-bench.ts";
import { findRun, listAttempts, moveAttempt, takeBack } from "./store.ts";

let stub: EvalStub;
let bench: EvalBench;
let journeys: Journeys;
let asked = 0;
beforeAll(async () => {
  stub = await startEvalStub();
  bench = await evalBench(stub.url, { env: stub.env });
  journeys = journeysOf(bench);
});
afterAll(async () => {
  await bench.service.close();
  await stub.close();
});
beforeEach(() => {
  asked = 0;
  stub.calls = 0;
  stub.onCall = () => undefined;
  stub.onModel = (_, body) => {
    asked += 1;
    return brief(body);
  };
});

/** Two words of the visitor, and two answers of the assistant. */
const answersPerSession = 4;

/** A lease that a busy machine keeps, too. */
const work = (leaseMs = 30_000) => bench.service.app.jobs.work(bench.service.app, { leaseMs, drainMs: 0 });

/** Tool calls wait until they are let go. */
function holdCalls(count: number) {
  const held = Promise.withResolvers<undefined>();
  const inside = Promise.withResolvers<void>();
  let waiting = 0;
  stub.onCall = () => {
    waiting += 1;
    if (waiting === count) inside.resolve();
    return held.promise;
  };
  return { inside: inside.promise, letGo: () => held.resolve(undefined) };
}

async function launch(places: number, sessionsPerTarget: number): Promise<string> {
  const environmentIds = await Promise.all(
    Array.from({ length: places }, () => journeys.environment({ modelId: stub.model })),
  );
  const journeyId = await journeys.journey({ environmentIds, sessionsPerTarget });
  return (await bench.call("POST", `/journeys/${journeyId}/runs`)).body.id;
}

const rowsOf = async (runId: string) => {
  const run = await findRun(bench.service.app.db, bench.world.projectId, runId as never);
  return { run: run!, attempts: await listAttempts(bench.service.app.db, [run!.id]) };
};

it("a process that stops hands its sessions over, and what was answered is neither paid for nor called again", async () => {
  const calls = holdCalls(3);
  const runId = await launch(3, 2);
  const first = await work();
  await calls.inside;
  const stopped = first.stop();
  calls.letGo();
  await stopped;
  const left = (await rowsOf(runId)).attempts.filter(({ state }) => state !== "succeeded");
  expect(left.map(({ state, losses }) => [state, losses])).toEqual(left.map(() => ["pending", 0]));
  expect(left.filter(({ startedAt }) => startedAt !== null).length).toBeGreaterThan(0);
  expect(asked).toBeLessThan(6 * answersPerSession);

  const second = await work();
  const run = await journeys.settled(runId);
  await second.stop();
  expect(run).toMatchObject({ status: "completed", counts: { succeeded: 6 } });
  expect([asked, stub.calls]).toEqual([6 * answersPerSession, 6]);
  // Whoever was taken up has been told everything once, and counts as much as the others.
  const { attempts } = await rowsOf(runId);
  expect(new Set(attempts.map((one) => `${one.turns} ${one.toolCalls} ${one.totalTokens}`)).size).toBe(1);
  const { rows } = await bench.service.app.db.$client.query(
    "select type, count(*)::int as count from events where topic = $1 group by type order by type",
    [`journey-run:${runId}`],
  );
  expect(rows).toEqual([
    { type: "run_complete", count: 1 },
    { type: "session_end", count: 6 },
    { type: "session_start", count: 6 },
    { type: "turn", count: 6 },
  ]);
  const kept = await bench.service.app.db.$client.query("select 1 from journey_attempt_steps");
  expect(kept.rows, "nothing is kept of what is over").toEqual([]);
});

it("a turn whose last answer comes while its process stops is told of, and nobody tells of it again", async () => {
  const held = Promise.withResolvers<void>();
  const inside = Promise.withResolvers<void>();
  stub.onModel = async (_, body) => {
    asked += 1;
    if (asked === 3) {
      inside.resolve();
      await held.promise;
    }
    return brief(body);
  };
  const runId = await launch(1, 1);
  const first = await work();
  await inside.promise;
  const stopped = first.stop();
  held.resolve();
  await stopped;
  const turns = async () => {
    const { rows } = await bench.service.app.db.$client.query(
      "select 1 from events where topic = $1 and type = 'turn'",
      [`journey-run:${runId}`],
    );
    return rows.length;
  };
  expect(await turns()).toBe(1);

  const second = await work();
  const run = await journeys.settled(runId);
  await second.stop();
  expect(run).toMatchObject({ status: "completed", counts: { succeeded: 1 } });
  expect([await turns(), asked]).toEqual([1, answersPerSession]);
});

it("a process that has lost its run to another writes nothing, and the other goes on", async () => {
  const calls = holdCalls(1);
  const runId = await launch(1, 1);
  const worker = await work(6_000);
  await calls.inside;
  const { run } = await rowsOf(runId);
  await bench.service.app.db.$client.query(
    "update jobs set claim = claim + 1, worker = 'another', lease_until = now() where id = $1",
    [run.jobId],
  );
  calls.letGo();
  const settled = await journeys.settled(runId);
  await worker.stop();
  expect(settled).toMatchObject({ status: "completed", counts: { succeeded: 1 } });
  expect(asked, "the two answers from before are not asked for again").toBe(answersPerSession);
});

it("a session under which five processes died is given up, and the rest is played", async () => {
  const { app } = bench.service;
  const runId = await launch(1, 2);
  const { run, attempts } = await rowsOf(runId);
  for (let died = 1; died <= 5; died += 1) {
    await moveAttempt(app.db, attempts[0]!.id, "running");
    expect(await takeBack(app.db, run.id, new Date())).toBe(died === 5);
  }
  const worker = await work();
  const settled = await journeys.settled(runId);
  await worker.stop();
  expect(settled).toMatchObject({
    status: "partial",
    attempts: [{ state: "failed", error: "worker_lost" }, { state: "succeeded" }],
  });
});

it("a person who cancels ends the session at once", async () => {
  const calls = holdCalls(1);
  const runId = await launch(1, 1);
  const worker = await work();
  await calls.inside;
  await bench.call("POST", `/journey-runs/${runId}/cancel`);
  const settled = await vi.waitFor(async () => journeys.settled(runId), 3_000);
  calls.letGo();
  await worker.stop();
  expect(settled.attempts).toMatchObject([{ state: "failed", error: "session_aborted" }]);
});
