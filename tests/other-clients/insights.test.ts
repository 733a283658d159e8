/** What a client reads of insights that somebody canceled. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type EvalBench, evalBench } from "../../packages/service/src/testing/eval-bench.ts";
import { type EvalStub, startEvalStub } from "../../packages/service/src/testing/eval-stub.ts";
import { askCase } from "../../packages/service/src/testing/eval-suite.ts";

let stub: EvalStub;
let bench: EvalBench;
beforeAll(async () => {
  stub = await startEvalStub();
  // A model that never answers: what it was asked for is pending until somebody cancels it.
  stub.onModel = () => ({ fault: "silence" });
  bench = await evalBench(stub.url, { env: { ...stub.env, FETTLE_INSIGHTS_MODEL: stub.model } });
  await bench.service.app.work();
});
afterAll(async () => {
  await bench.service.close();
  await stub.close();
});

it("canceled insights have failed, with cancelled, and can be asked for again", async () => {
  const suiteId = await bench.suite([askCase("one", "How many copies?", "stock")]);
  const { runId } = (await bench.call("POST", "/eval-runs", { suiteId })).body;
  await bench.ended(runId);
  const read = async () => (await bench.call("GET", `/eval-runs/${runId}`)).body.insights;
  await vi.waitFor(async () => expect((await read()).status).toBe("completed"), 60_000);
  const ask = () => bench.call("POST", `/eval-runs/${runId}/insights`, {});
  expect((await ask()).body).toEqual({ runId, projectId: bench.world.projectId, status: "pending" });
  expect((await bench.call("DELETE", `/eval-runs/${runId}/insights`)).status).toBe(200);
  expect(await read()).toMatchObject({
    status: "failed",
    retryable: true,
    error: { code: "cancelled", message: expect.any(String) },
  });
  expect((await ask()).status).toBe(202);
});
