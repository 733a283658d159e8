import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { testDatabase } from "../testing/database.ts";
import { evalBench } from "../testing/eval-bench.ts";
import { startEvalStub } from "../testing/eval-stub.ts";
import { askCase } from "../testing/eval-suite.ts";
import { startProcess } from "../testing/process.ts";

const leaseMs = 1_500;
const script = join(import.meta.dirname, "..", "testing", "app-worker.ts");

it("workers killed in the middle of a run, and a model that fails at random, cost no repetition and count none twice", {
  timeout: 180_000,
}, async () => {
  await using stack = new AsyncDisposableStack();
  const database = await testDatabase();
  stack.defer(() => database.close());
  const stub = stack.use(await startEvalStub());
  const env = { ...stub.env, FETTLE_SECRET_KEY: "k".repeat(40), FETTLE_LIMIT_EVAL_MODEL_TURNS: "1000" };
  const bench = await evalBench(stub.url, { env, database });
  stack.defer(() => bench.service.close());
  const home = mkdtempSync(join(tmpdir(), "fettle-worker-"));
  stack.defer(() => rmSync(home, { recursive: true, force: true }));
  const startWorker = async () => {
    const worker = startProcess(script, [String(leaseMs)], {
      env: { ...env, FETTLE_HOME: home, DATABASE_URL: database.url.reveal() },
    });
    stack.defer(() => worker.kill());
    await worker.line(/^ready$/);
    return worker;
  };

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
      timeout: 30_000,
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
