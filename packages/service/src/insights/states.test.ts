/** Every state of an envelope, as the README draws them, and the words of a model. */
import { InsightsEnvelope } from "@fettle/contract/insights";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { type EvalBench, evalBench } from "../testing/eval-bench.ts";
import { type EvalStub, startEvalStub } from "../testing/eval-stub.ts";
import { askCase, launchRun } from "../testing/eval-suite.ts";
import { type SpoiledBookshop, startSpoiledBookshop } from "../testing/spoiled-bookshop.ts";

const spoil = (toolName: string) =>
  toolName === "check_stock" ? "Stock cannot be read: index corrupt" : undefined;

let shop: SpoiledBookshop;
let stub: EvalStub;
/** With a model for insights, which is the stub; suites are played by rules. */
let bench: EvalBench;
beforeAll(async () => {
  shop = await startSpoiledBookshop();
  shop.spoil = spoil;
  stub = await startEvalStub();
  bench = await evalBench(shop.url, { env: { ...stub.env, FETTLE_INSIGHTS_MODEL: stub.model } });
  await bench.service.app.work();
});
afterAll(async () => {
  await bench.service.close();
  await stub.close();
  await shop[Symbol.asyncDispose]();
});

const cases = ["tin-swallows", "the-orchard-below"].map((book) =>
  askCase(`stock-${book}`, `Check the stock of the book with bookId = "${book}"`, "check_stock"),
);

async function ended(on: EvalBench = bench): Promise<string> {
  const suiteId = await on.suite(cases);
  const { runId } = (await on.call("POST", "/eval-runs", { suiteId })).body;
  await on.ended(runId);
  return runId;
}

/** Calls wait until the test is over: what makes them goes on until then. */
function holdCalls() {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  shop.spoil = () => promise;
  onTestFinished(() => {
    resolve(undefined);
    shop.spoil = spoil;
  });
}

const read = async (runId: string, on: EvalBench = bench) =>
  InsightsEnvelope.parse((await on.call("GET", `/eval-runs/${runId}`)).body.insights);
const settled = (runId: string, on: EvalBench = bench) =>
  vi.waitFor(async () => {
    const envelope = await read(runId, on);
    expect(envelope.status).not.toBe("pending");
    return envelope;
  }, 60_000);
const ask = (runId: string, body: object = {}, on: EvalBench = bench) =>
  on.call("POST", `/eval-runs/${runId}/insights`, body);
/** What other clients read: `failed` is the only state of theirs that it can be. */
const canceled = { status: "failed", reasonCode: "canceled", retryable: true, error: { code: "cancelled" } };
const cancel = (runId: string) => bench.call("DELETE", `/eval-runs/${runId}/insights`);

/** What the model says, with what it was shown. */
function says(tell: (ids: string[]) => object | string | number | { fault: "silence" }) {
  let asked = 0;
  let shown = "";
  stub.onModel = (_, body) => {
    asked += 1;
    shown = body;
    const told = tell([...new Set(body.match(/rf_[0-9a-f]{16}/g))]);
    if (typeof told === "number" || typeof told === "string") return told;
    return "fault" in told ? { fault: "silence" } : JSON.stringify(told);
  };
  return { asked: () => asked, shown: () => shown };
}
const words = (ids: string[]) => ({
  summary: "The stock index is broken.",
  items: ids.map((id) => ({
    id,
    rootCause: "The index of `check_stock` is corrupt.",
    recommendation: "Rebuild the index before answering.",
    confidence: "low",
  })),
});

describe("before anybody asks", () => {
  test("a run that goes on has none, and cannot be asked about", async () => {
    holdCalls();
    const { runId } = await launchRun(bench.world, bench.service.app, await bench.suite(cases));
    expect(await read(runId)).toMatchObject({
      status: "not_requested",
      reasonCode: "run_not_terminal",
      findings: [],
    });
    expect(await ask(runId)).toMatchObject({ status: 409, body: { details: { code: "RUN_NOT_TERMINAL" } } });
    await bench.call("POST", `/eval-runs/${runId}/cancel`);
  });

  test("a run that has ended has its findings for free", async () => {
    const model = says(words);
    const envelope = await settled(await ended());
    expect(envelope).toMatchObject({
      schemaVersion: 1,
      status: "completed",
      reasonCode: "deterministic_only",
      retryable: false,
      error: null,
      generatedAt: expect.any(Number),
      coverage: { unit: "iterations", analyzed: 2, total: 2 },
    });
    expect(envelope.findings[0]).toMatchObject({ target: { toolName: "check_stock" } });
    expect(model.asked()).toBe(0);
  });

  test.each([
    ["off", "not_available", "feature_disabled", 422],
    ["asked", "not_requested", "not_requested", 202],
  ])("with insights %s it is %s, %s, and asking answers %i", async (when, status, reasonCode, answer) => {
    const other = await evalBench(shop.url, { env: { FETTLE_INSIGHTS: when } });
    try {
      await other.service.app.work();
      const runId = await ended(other);
      expect(await read(runId, other)).toMatchObject({ status, reasonCode, generatedAt: null, findings: [] });
      expect((await ask(runId, {}, other)).status).toBe(answer);
      if (answer === 202) {
        expect(await settled(runId, other)).toMatchObject({
          status: "completed",
          reasonCode: "deterministic_only",
        });
      }
    } finally {
      await other.service.close();
    }
  });
});

describe("asked for", () => {
  test("a model writes causes, recommendations and the summary, and is asked again only with force", async () => {
    const runId = await ended();
    const before = await settled(runId);
    const model = says(words);
    expect(await ask(runId)).toMatchObject({ status: 202, body: { runId, status: "pending" } });
    const after = await settled(runId);
    expect(after).toMatchObject({
      status: "completed",
      reasonCode: "model_enriched",
      summary: "The stock index is broken.",
    });
    const [fixed, told] = [before.findings[0]!, after.findings[0]!];
    expect(told).toEqual({
      ...fixed,
      rootCause: "The index of `check_stock` is corrupt.",
      recommendation: "Rebuild the index before answering.",
      confidence: "low",
    });
    expect(await ask(runId)).toMatchObject({
      status: 409,
      body: { details: { code: "INSIGHTS_COMPLETED" } },
    });
    expect((await ask(runId, { force: true })).status).toBe(202);
    await settled(runId);
    expect(model.asked()).toBe(2);
  });

  const lies: [what: string, tell: (ids: string[]) => object][] = [
    [
      "another count",
      (ids) => ({
        summary: "All 917 calls failed.",
        items: ids.map((id) => ({
          id,
          rootCause: "It failed 917 times.",
          recommendation: "Retry 55 times.",
        })),
      }),
    ],
    [
      "a tool that is not there",
      (ids) => ({
        summary: "See `drop_tables`.",
        items: ids.map((id) => ({
          id,
          rootCause: "`drop_tables` broke it.",
          recommendation: "Call `drop_tables`.",
        })),
      }),
    ],
    ["more trust", (ids) => ({ items: ids.map((id) => ({ id, confidence: "high" })) })],
    [
      "other fields",
      (ids) => ({
        items: ids.map((id) => ({
          id,
          severity: "info",
          title: "Fine",
          affected: { count: 0, total: 0, unit: "sessions" },
          evidence: [],
        })),
      }),
    ],
    ["a finding of its own", () => ({ items: [{ id: "rf_0123456789abcdef", rootCause: "Made up." }] })],
  ];
  test.each(lies)("a model that says %s changes nothing", async (_, tell) => {
    const runId = await ended();
    const before = await settled(runId);
    says(tell);
    await ask(runId);
    const after = await settled(runId);
    expect(after.reasonCode).toBe("model_enriched");
    expect(after.findings).toEqual(before.findings);
    expect(after.summary).toBe(before.summary);
  });

  test.each([
    ["fails", () => 500],
    ["refuses", () => 401],
    ["says no JSON", () => "I would rather not."],
    ["says something else", () => ({ items: "none" })],
  ] as [string, () => number | string | object][])(
    "a model that %s leaves the fixed texts, and may be asked again",
    async (_, tell) => {
      const runId = await ended();
      const before = await settled(runId);
      says(tell);
      await ask(runId);
      expect(await settled(runId)).toMatchObject({
        status: "completed",
        reasonCode: "model_failed_fallback",
        retryable: true,
        findings: before.findings,
      });
      says(words);
      expect((await ask(runId)).status).toBe(202);
      expect((await settled(runId)).reasonCode).toBe("model_enriched");
    },
  );

  test("twice while it pends is once, and cancelled it has failed with the findings of before", async () => {
    const runId = await ended();
    const before = await settled(runId);
    const model = says(() => ({ fault: "silence" }));
    await ask(runId);
    await vi.waitFor(() => expect(model.asked()).toBe(1), 60_000);
    expect((await ask(runId)).status).toBe(202);
    expect(await read(runId)).toMatchObject({ status: "pending", findings: before.findings });
    expect(await cancel(runId)).toMatchObject({
      status: 200,
      body: { ...canceled, findings: before.findings },
    });
    expect(await cancel(runId)).toMatchObject({
      status: 409,
      body: { details: { code: "NOTHING_PENDING" } },
    });
    expect(model.asked()).toBe(1);
    says(words);
    await ask(runId);
    expect((await settled(runId)).reasonCode).toBe("model_enriched");
  });

  test("is cancelled by one of twenty cancels at once, and the job that lets go changes nothing", async () => {
    const runId = await ended();
    const before = await settled(runId);
    const model = says(() => ({ fault: "silence" }));
    await ask(runId);
    await vi.waitFor(() => expect(model.asked()).toBe(1), 60_000);
    const { app } = bench.service;
    const { rows } = await app.pool.query("select job_id from insights where scope_id = $1", [runId]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => cancel(runId)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(409)]);
    await vi.waitFor(async () => {
      expect((await app.jobs.get(rows[0].job_id))?.state).toBe("cancelled");
    }, 60_000);
    expect(await read(runId)).toMatchObject({
      ...canceled,
      findings: before.findings,
    });
  });

  test("where nothing was played it cannot be, and asking again needs force", async () => {
    holdCalls();
    const { runId } = await launchRun(bench.world, bench.service.app, await bench.suite(cases));
    await bench.call("POST", `/eval-runs/${runId}/cancel`);
    expect(await settled(runId)).toMatchObject({ status: "not_requested", reasonCode: "nothing_to_analyze" });
    await ask(runId);
    expect(await settled(runId)).toMatchObject({
      status: "failed",
      reasonCode: "nothing_to_analyze",
      retryable: false,
      error: { code: expect.any(String) },
      findings: [],
    });
    expect(await ask(runId)).toMatchObject({
      status: 409,
      body: { details: { code: "INSIGHTS_NOT_RETRYABLE" } },
    });
    expect((await ask(runId, { force: true })).status).toBe(202);
  });

  test("and whoever makes it is gone for good: failed, and it may be asked for again", async () => {
    const runId = await ended();
    await settled(runId);
    const model = says(() => ({ fault: "silence" }));
    await ask(runId);
    await vi.waitFor(() => expect(model.asked()).toBe(1), 60_000);
    const { app } = bench.service;
    const { rows } = await app.db.execute<{ job_id: string }>(
      sql`select job_id from insights where scope_id = ${runId}`,
    );
    await app.db.execute(sql`delete from jobs where id = ${rows[0]!.job_id}`);
    expect(await read(runId)).toMatchObject({
      status: "failed",
      retryable: true,
      error: { code: "insights_internal" },
    });
    says(words);
    expect((await ask(runId)).status).toBe(202);
    expect((await settled(runId)).reasonCode).toBe("model_enriched");
  });
});

test("a model that nobody has a key for leaves the fixed texts, too", async () => {
  const other = await evalBench(shop.url, { env: { FETTLE_INSIGHTS_MODEL: "anthropic/claude-haiku-4.5" } });
  try {
    await other.service.app.work();
    const runId = await ended(other);
    const before = await settled(runId, other);
    await ask(runId, {}, other);
    expect(await settled(runId, other)).toMatchObject({
      status: "completed",
      reasonCode: "model_failed_fallback",
      findings: before.findings,
    });
  } finally {
    await other.service.close();
  }
});

test("a day's words are counted for the whole organization, and what costs nothing is not", async () => {
  const env = { ...stub.env, FETTLE_INSIGHTS_MODEL: stub.model, FETTLE_LIMIT_INSIGHTS_PER_DAY: "1" };
  const other = await evalBench(shop.url, { env });
  try {
    await other.service.app.work();
    const [one, two] = [await ended(other), await ended(other)];
    says(words);
    await settled(one, other);
    await ask(one, {}, other);
    expect((await settled(one, other)).reasonCode).toBe("model_enriched");
    const refused = await ask(two, {}, other);
    expect(refused).toMatchObject({
      status: 429,
      body: { code: "RATE_LIMITED", details: { ledger: "insightsPerDay" } },
    });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await settled(two, other)).toMatchObject({
      status: "completed",
      reasonCode: "deterministic_only",
    });
  } finally {
    await other.service.close();
  }
});
