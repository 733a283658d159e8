import { expect, it, vi } from "vitest";
import { askCase } from "../../testing/eval-suite.ts";
import { killableWorkers } from "../../testing/killable-workers.ts";

it("workers killed in the middle of a run, and a model that fails at random, cost no repetition and count none twice", async () => {
  await using stack = new AsyncDisposableStack();
  const { database, stub, bench, startWorker } = await killableWorkers(stack, 1_000);

  // 10 cases of 10 repetitions; every second case asks for a tool that is never called.
  const cases = Array.from({ length: 10 }, (_, index) =>
    askCase(`case-${index}`, "How many copies of book 7?", index % 2 === 0 ? "stock" : "price", {
      iterations: 10,
    }),
  );
  const suiteId = await bench.suite(cases, { model: stub.model });
  let asked = 0;
  // Such as a provider has them now and then; each is tried again.
  stub.onModel = () => {
    asked += 1;
    return asked % 41 === 0 ? 500 : undefined;
  };
  const { runId } = (await bench.call("POST", "/eval-runs", { suiteId })).body;
  const settled = async () => (await bench.call("GET", `/eval-runs/${runId}`)).body.progress.settled;

  for (const until of [10, 30, 50]) {
    const worker = await startWorker();
    await vi.waitFor(async () => expect(await settled()).toBeGreaterThan(until), {
      timeout: 60_000,
      interval: 20,
    });
    await worker.kill("SIGKILL");
  }
  const before = await settled();
  expect(before).toBeLessThan(100);
  await startWorker();
  expect(await bench.ended(runId)).toMatchObject({
    status: "completed",
    result: "failed",
    reasons: [],
    summary: { total: 100, passed: 50, failed: 50, excluded: 0 },
    progress: { total: 100, settled: 100 },
  });
  const { rows } = await database.db.$client.query(
    `select count(*)::int as rows, count(distinct (case_key, iteration_number))::int as different,
      (select count(*)::int from eval_iteration_traces) as traces from eval_iterations`,
  );
  expect(rows).toEqual([{ rows: 100, different: 100, traces: 100 }]);
});
