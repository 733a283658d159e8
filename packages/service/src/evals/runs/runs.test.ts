import { startBookshop } from "@fettle/samples";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { endLostRuns } from "../../runs/life/watchdog.ts";
import { type EvalBench, evalBench } from "../../testing/eval-bench.ts";
import { type EvalStub, startEvalStub } from "../../testing/eval-stub.ts";
import { askCase, saveServer } from "../../testing/eval-suite.ts";
import { evalRunKind } from "./kind.ts";

let now = Date.now();
let bench: EvalBench;
let stub: EvalStub;
let shop: Awaited<ReturnType<typeof startBookshop>>;
beforeAll(async () => {
  shop = await startBookshop();
  stub = await startEvalStub();
  bench = await evalBench(shop.url, { env: stub.env, now: () => now });
  await bench.service.app.work();
});
afterAll(async () => {
  await bench.service.close();
  await stub.close();
  await shop.close();
});

const finds = askCase("finds", "Search for books about planets", "search_books");
const misses = askCase("misses", "Search for books about planets", "delete_everything");

describe("a run", () => {
  it("plays every case on the suite's servers, and tells the verdict, the calls, the trace and the steps", async () => {
    const suiteId = await bench.suite([finds, misses]);
    const launched = await bench.call("POST", "/eval-runs", { suiteId });
    expect(launched).toMatchObject({
      status: 202,
      body: { suiteId, status: "pending", servers: [{ id: bench.server.id }], environment: null },
    });
    const { runId, viewUrl } = launched.body;
    expect(viewUrl).toContain(`/evals/suite/${suiteId}/runs/${runId}?project=${bench.world.projectId}`);
    const run = await bench.ended(runId);
    expect(run).toMatchObject({
      status: "completed",
      result: "failed",
      runNumber: 1,
      progress: { total: 2, settled: 2, passed: 1, failed: 1 },
      summary: { total: 2, passed: 1, failed: 1, passRate: 0.5, excluded: 0 },
      effectiveModelId: "fettle/rules-1",
      modelClass: "rules",
      scoreIntegrity: "valid",
    });
    const { body: page } = await bench.call("GET", `/eval-runs/${runId}/iterations?order=failures`);
    expect(page.items).toMatchObject([
      { caseKey: "misses", status: "completed", result: "failed", hasTrace: true },
      { caseKey: "finds", result: "passed", actualToolCalls: [{ toolName: "search_books", isError: false }] },
    ]);
    const [failed] = page.items;
    const at = `/eval-runs/${runId}/iterations/${failed.id}`;
    const { body: trace } = await bench.call("GET", `${at}/trace`);
    expect(trace).toMatchObject({ iterationId: failed.id, caseKey: "misses", prompts: [{ promptIndex: 0 }] });
    expect(trace.messages.length).toBeGreaterThan(1);
    expect((await bench.call("GET", `${at}/steps`)).body.items).toMatchObject([
      { stepId: "ask", kind: "prompt", status: "ok" },
      { stepId: "called", kind: "assert", status: "fail" },
    ]);
    expect((await bench.call("GET", `/eval-suites/${suiteId}/runs`)).body.items).toMatchObject([
      { id: runId },
    ]);
    expect(
      (await bench.call("GET", `/eval-runs?suiteId=${suiteId}&status=completed`)).body.items,
    ).toMatchObject([{ id: runId }]);
  });

  /** The stub's suite: its model is asked, and asks for the one tool there is. */
  const onStub = async (iterations: number, over: object = {}) => {
    const server = await saveServer(bench.world, bench.service.app, stub.url);
    const cases = [askCase("asks", "How many copies of book 7?", "stock", { iterations, ...over })];
    return bench.suite(cases, { serverIds: [server.id], model: stub.model });
  };

  it("repeats what may differ, and what always does the same is played once", async () => {
    const { body: launched } = await bench.call("POST", "/eval-runs", { suiteId: await onStub(10) });
    expect(await bench.ended(launched.runId)).toMatchObject({
      result: "passed",
      summary: { total: 10, passed: 10 },
      modelClass: "live",
      totalTokens: 2400,
      repetitionsCollapsed: false,
    });
    const suiteId = await bench.suite([{ ...finds, iterations: 5 }]);
    const { body: ruled } = await bench.call("POST", "/eval-runs", { suiteId });
    expect(await bench.ended(ruled.runId)).toMatchObject({
      summary: { total: 1 },
      repetitionsCollapsed: true,
    });
  });

  it("on a server that is away shows nothing: it is inconclusive, and never failed", async () => {
    const gone = await saveServer(bench.world, bench.service.app, "http://127.0.0.1:9/mcp");
    const suiteId = await bench.suite([finds], { serverIds: [gone.id] });
    const { body } = await bench.call("POST", "/eval-runs", { suiteId });
    expect(await bench.ended(body.runId)).toMatchObject({
      status: "completed",
      result: "inconclusive",
      stopReason: "setup_failed",
      summary: { total: 0, excluded: 1, passRate: null },
    });
    const { body: page } = await bench.call("GET", `/eval-runs/${body.runId}/iterations`);
    expect(page.items).toMatchObject([{ status: "setup_failed", result: null, hasTrace: false }]);
    const { id } = page.items[0];
    const at = `/eval-runs/${body.runId}/iterations/${id}`;
    expect(await bench.call("GET", `${at}/trace`)).toMatchObject({
      status: 404,
      body: { details: { code: "TRACE_NOT_AVAILABLE" } },
    });
    expect((await bench.call("GET", `${at}/steps`)).body.items).toMatchObject([
      { status: "skipped" },
      { status: "skipped" },
    ]);
  });

  it("whose model refuses every request is inconclusive too", async () => {
    stub.onModel = () => 400;
    const { body } = await bench.call("POST", "/eval-runs", { suiteId: await onStub(2) });
    const run = await bench.ended(body.runId);
    stub.onModel = () => undefined;
    expect(run).toMatchObject({ status: "completed", result: "inconclusive", summary: { excluded: 2 } });
    const { body: page } = await bench.call("GET", `/eval-runs/${body.runId}/iterations?status=failed`);
    expect(page.items).toHaveLength(2);
    expect(page.items[0].errorClass).not.toBeNull();
  });

  it("is cancelled while it plays: what has settled stays, the rest does not count, and a second cancel changes nothing", async () => {
    const held = Promise.withResolvers<undefined>();
    const first = stub.calls;
    stub.onCall = () => (stub.calls - first > 2 ? held.promise : undefined);
    const { body } = await bench.call("POST", "/eval-runs", { suiteId: await onStub(10) });
    const at = `/eval-runs/${body.runId}`;
    await vi.waitFor(async () => {
      expect((await bench.call("GET", at)).body.progress).toMatchObject({ total: 10, settled: 2, passed: 2 });
      const { body: page } = await bench.call("GET", `${at}/iterations?status=running`);
      expect(page.items).toHaveLength(4);
    }, 60_000);
    const cancelled = await bench.call("POST", `${at}/cancel`);
    expect(cancelled).toMatchObject({
      status: 200,
      body: {
        status: "cancelled",
        result: null,
        stopReason: "user_cancelled",
        summary: { passed: 2, excluded: 8 },
      },
    });
    // Whoever plays it lets go, though its server has not answered yet.
    const { app } = bench.service;
    const jobOf = sql`select state from jobs where id = (select job_id from eval_runs where id = ${body.runId})`;
    const jobState = async () => (await app.db.execute(jobOf)).rows[0]?.state;
    await expect.poll(jobState).toBe("cancelled");
    held.resolve(undefined);
    stub.onCall = () => undefined;
    expect((await bench.call("POST", `${at}/cancel`)).body).toEqual(cancelled.body);
    const { body: page } = await bench.call("GET", `${at}/iterations?status=cancelled`);
    expect(page.items).toHaveLength(8);
  });

  it("that has ended cannot be cancelled", async () => {
    const { body } = await bench.call("POST", "/eval-runs", { suiteId: await bench.suite([finds]) });
    await bench.ended(body.runId);
    expect(await bench.call("POST", `/eval-runs/${body.runId}/cancel`)).toMatchObject({
      status: 409,
      body: { code: "CONFLICT" },
    });
  });

  it("that nobody plays any more is failed as such, and one that is past its time is timed out", async () => {
    const { app } = bench.service;
    const open = async () => {
      const suiteId = await bench.suite([finds]);
      const { body } = await bench.call("POST", "/eval-runs", { suiteId });
      await bench.ended(body.runId);
      // As a process leaves it that died with its run.
      await app.pool.query("update eval_runs set status = 'running', result = null where id = $1", [
        body.runId,
      ]);
      return body.runId;
    };
    const broken = await open();
    await endLostRuns(app, evalRunKind);
    expect(await bench.ended(broken)).toMatchObject({
      status: "failed",
      result: null,
      stopReason: "stale_worker",
    });
    const late = await open();
    now += 40 * 60_000;
    await endLostRuns(app, evalRunKind);
    expect(await bench.ended(late)).toMatchObject({
      status: "timed_out",
      result: null,
      stopReason: "run_timeout",
    });
  });

  it("tells which tools of its servers changed since the run before", async () => {
    const suiteId = await onStub(1);
    const drifted = async () => {
      now += 60_000;
      const { body } = await bench.call("POST", "/eval-runs", { suiteId });
      return (await bench.ended(body.runId)).toolSurfaceDrift;
    };
    expect(await drifted()).toBeNull();
    expect(await drifted()).toEqual({ added: [], removed: [], changed: [] });
    const [stock] = stub.tools;
    stub.tools = [
      { ...stock!, description: "Copies in stock" },
      { ...stock!, name: "price" },
    ];
    expect(await drifted()).toEqual({ added: ["price"], removed: [], changed: ["stock"] });
    stub.tools = [stock!];
    expect(await drifted()).toEqual({ added: [], removed: ["price"], changed: ["stock"] });
  });
});

it("a run of some cases is neither the suite's latest, nor in its trend, nor what another is compared with", async () => {
  const suiteId = await bench.suite([finds, misses]);
  const run = async (more: object = {}) => {
    // Later than what counts as a second click.
    now += 60_000;
    const { body } = await bench.call("POST", "/eval-runs", { suiteId, ...more });
    return bench.ended(body.runId);
  };
  const listed = async () => {
    const { items } = (await bench.call("GET", "/eval-suites")).body;
    return items.find(({ id }: { id: string }) => id === suiteId);
  };
  const early = await run({ caseIds: ["finds"], notes: "early" });
  expect([early.isPartial, (await listed()).latestRun]).toEqual([true, null]);
  const whole = await run({ notes: "whole" });
  const named = await run({ caseIds: ["finds", "misses"], notes: "all of them, by name" });
  expect([whole.isPartial, named.isPartial]).toEqual([false, false]);
  const part = await run({ caseIds: ["finds"], ci: { provider: "gitlab", commitSha: "abc" }, notes: "part" });
  expect(await listed()).toMatchObject({
    latestRun: { id: named.id },
    passRateTrend: [0.5, 0.5],
    totals: { runs: 2, passed: 0, failed: 2 },
  });
  const baseOf = async (id: string, query = "") =>
    (await bench.call("GET", `/eval-runs/${id}/compare${query}`)).body.baseRun?.id;
  expect(await baseOf(part.id)).toBe(named.id);
  const last = await run({ notes: "last" });
  expect(await baseOf(last.id)).toBe(named.id);
  expect(await baseOf(last.id, "?baseCommitSha=abc")).toBeUndefined();
  // Whoever names it has it.
  expect(await baseOf(last.id, `?baseRunId=${part.id}`)).toBe(part.id);
});
