/** @module A run of a thousand repetitions whose workers are killed every ten seconds, with a model that fails at random. */
import { setTimeout as delay } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { askCase } from "../../testing/eval-suite.ts";
import { killableWorkers } from "../../testing/killable-workers.ts";

const killEveryMs = 10_000;

it("a thousand repetitions settle once each, with the verdicts of a run in which nothing went wrong", async () => {
  await using stack = new AsyncDisposableStack();
  const { database, stub, bench, startWorker } = await killableWorkers(stack, 5_000);
  // Every second case asks for a tool that is never called.
  const cases = Array.from({ length: 100 }, (_, index) =>
    askCase(`case-${index}`, "How many copies of book 7?", index % 2 === 0 ? "stock" : "price", {
      iterations: 10,
    }),
  );
  const suiteId = await bench.suite(cases, { model: stub.model });
  const launch = async (idempotencyKey: string) =>
    (await bench.call("POST", "/eval-runs", { suiteId, idempotencyKey })).body.runId;
  const told = async (runId: string) => (await bench.call("GET", `/eval-runs/${runId}`)).body;
  const ended = (runId: string) =>
    vi.waitFor(
      async () => {
        const run = await told(runId);
        expect(run.status).not.toMatch(/pending|running/);
        return run;
      },
      { timeout: 600_000, interval: 500 },
    );
  const verdicts = async (runId: string) => {
    const { rows } = await database.db.$client.query(
      `select case_key, bool_and(result = 'passed') as passed from eval_iterations
       where run_id = $1 and result is not null group by case_key order by case_key`,
      [runId],
    );
    return rows;
  };

  const calm = await launch("calm");
  const first = await startWorker();
  const without = await ended(calm);
  expect(without).toMatchObject({ result: "failed", summary: { total: 1_000, passed: 500, excluded: 0 } });
  await first.kill("SIGKILL");

  // The same dice each time; a provider that is down for a while is another test's.
  let seed = 7;
  const dice = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 31;
  };
  let mayBeSilent = true;
  stub.onModel = () => {
    const rolled = dice();
    if (rolled < 0.01) return 429;
    if (rolled < 0.03) return 500;
    if (rolled < 0.04) return { fault: "cut" };
    if (rolled < 0.045 && mayBeSilent) return { fault: "silence" };
    return undefined;
  };
  // Slow enough for several workers to die on the way.
  stub.onCall = () => delay(50, undefined);
  const stormy = await launch("stormy");
  let killed = 0;
  for (;;) {
    const worker = await startWorker();
    await delay(killEveryMs);
    const { progress, status } = await told(stormy);
    // Whoever is asked last has to be answered, or waits two minutes for it.
    if (progress.settled > 900) mayBeSilent = false;
    if (status !== "pending" && status !== "running") break;
    await worker.kill("SIGKILL");
    killed += 1;
  }
  const run = await ended(stormy);
  console.log(
    `${killed} workers killed, ${run.durationMs} ms (${without.durationMs} ms without)`,
    run.summary,
  );
  expect(killed).toBeGreaterThan(1);
  expect(run).toMatchObject({
    status: "completed",
    result: without.result,
    reasons: without.reasons,
    progress: { total: 1_000, settled: 1_000 },
  });
  // A repetition whose model failed three times in a row says nothing, and is said to.
  expect(run.summary.total + run.summary.excluded).toBe(1_000);
  expect(run.summary.excluded).toBeLessThan(10);
  expect(await verdicts(stormy)).toEqual(await verdicts(calm));
  const { rows } = await database.db.$client.query(
    `select count(*)::int as rows, count(distinct (case_key, iteration_number))::int as different,
      count(*) filter (where status in ('pending', 'running'))::int as unsettled
     from eval_iterations where run_id = $1`,
    [stormy],
  );
  expect(rows).toEqual([{ rows: 1_000, different: 1_000, unsettled: 0 }]);
});
