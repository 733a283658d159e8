import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { dayOf, readDay } from "../../models/budget.ts";
import { endLostRuns } from "../../runs/life/watchdog.ts";
import { pricedModel } from "../../testing/models/priced-model.ts";
import { brief, isPersona, type JourneyBench, journeyBench } from "../../testing/swarms/journey-bench.ts";
import { journeyRunKind } from "./kind.ts";

let bench: JourneyBench;
let now = Date.now();
let setCap: (dailyCapUsd: number | null) => Promise<void>;
beforeAll(async () => {
  bench = await journeyBench({ now: () => now });
  setCap = (await pricedModel(bench, bench.stub, { inputPerMTok: 100, outputPerMTok: 100 })).setCap;
});
afterAll(() => bench[Symbol.asyncDispose]());
const usual = { input: 100, output: 20 };
afterEach(async () => {
  bench.stub.onModel = (_, body) => brief(body);
  bench.stub.onCall = () => undefined;
  bench.stub.usageOf = () => usual;
  // Another day, with nothing spent.
  now += 24 * 60 * 60 * 1000;
});

const launch = (journeyId: string, body: object = {}, headers: Record<string, string> = {}) =>
  bench.call("POST", `/journeys/${journeyId}/runs`, body, { headers });
const estimateOf = async (journeyId: string): Promise<number> =>
  (await bench.call("GET", `/journeys/${journeyId}/runs/estimate`)).body.costUsd;
const day = () => readDay(bench.service.app, bench.world.organizationId);
const paidJourney = async (over: object = {}) =>
  bench.journey({
    environmentIds: [await bench.environment({ modelId: "custom:paid:stub" })],
    sessionsPerTarget: 1,
    maxTurns: 1,
    ...over,
  });
/** Holds every visitor in its first call until it is let go. */
function heldCall() {
  const called = Promise.withResolvers<void>();
  const held = Promise.withResolvers<undefined>();
  bench.stub.onCall = () => {
    called.resolve();
    return held.promise;
  };
  return { called: called.promise, letGo: () => held.resolve(undefined) };
}

it("sets aside what was estimated, refuses what the day has not left, and gives back at the end what was not used", async () => {
  const journeyId = await paidJourney();
  const costUsd = await estimateOf(journeyId);
  await setCap(costUsd * 1.5);
  const { called, letGo } = heldCall();
  const first = await launch(journeyId);
  expect(first.status).toBe(202);
  await called;
  const { spentUsd, heldUsd } = await day();
  expect(spentUsd + heldUsd).toBeCloseTo(costUsd);
  const refused = await launch(journeyId);
  const { resetsAt } = dayOf(now);
  expect(refused).toMatchObject({
    status: 429,
    body: {
      code: "RATE_LIMITED",
      details: {
        ledger: "modelCredits",
        limit: "modelCredits",
        currentValue: expect.closeTo(costUsd * 100, 1),
        allowedValue: expect.closeTo(costUsd * 150, 1),
        resetsAt,
      },
    },
  });
  expect(Number(refused.headers.get("retry-after"))).toBe(Math.ceil((resetsAt - now) / 1000));
  const runs = async () => (await bench.call("GET", `/journeys/${journeyId}/runs`)).body.items;
  expect(await runs(), "a refused launch leaves nothing behind").toHaveLength(1);
  letGo();
  const run = await bench.settled(first.body.id);
  const after = await day();
  expect(after.heldUsd).toBe(0);
  expect(after.spentUsd).toBeCloseTo(run.costUsd);
  expect(run.costUsd).toBeGreaterThan(0);
  const second = await launch(journeyId);
  expect(second.status).toBe(202);
  await bench.settled(second.body.id);
});

it.each<[string, (runId: string) => Promise<unknown>]>([
  ["is cancelled", (runId) => bench.call("POST", `/journey-runs/${runId}/cancel`)],
  [
    "is ended by the watchdog",
    async () => {
      now += 91_000;
      await endLostRuns(bench.service.app, journeyRunKind);
    },
  ],
])("a run that %s gives back what it has not used", async (_, end) => {
  const journeyId = await paidJourney({ sessionsPerTarget: 3 });
  await setCap(1_000);
  const { called, letGo } = heldCall();
  const { body } = await launch(journeyId);
  await called;
  expect((await day()).heldUsd).toBeGreaterThan(0);
  await end(body.id);
  letGo();
  await bench.settled(body.id);
  expect((await day()).heldUsd).toBe(0);
});

it("a run whose model refuses everything gives back all of it", async () => {
  const journeyId = await paidJourney();
  await setCap(1_000);
  bench.stub.onModel = () => 400;
  const { body } = await launch(journeyId);
  expect(await bench.settled(body.id)).toMatchObject({ status: "failed" });
  expect(await day()).toEqual({ spentUsd: 0, heldUsd: 0 });
});

it("is one run and one spend however often the same key comes at once, where the day has enough for no second one", async () => {
  const journeyId = await paidJourney();
  const costUsd = await estimateOf(journeyId);
  await setCap(costUsd);
  const { called, letGo } = heldCall();
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => launch(journeyId, {}, { "idempotency-key": "once" })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(202));
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  expect(answers.filter(({ body }) => !body.deduped)).toHaveLength(1);
  await called;
  const { spentUsd, heldUsd } = await day();
  expect(spentUsd + heldUsd).toBeCloseTo(costUsd);
  letGo();
  const run = await bench.settled(answers[0]!.body.id);
  expect(run).toMatchObject({ status: "completed", sessionsTotal: 1 });
  expect(await day()).toEqual({ spentUsd: expect.closeTo(run.costUsd), heldUsd: 0 });
});

it("never spends more than was estimated, however much the model writes and calls: it stops before, and says so", async () => {
  const journeyId = await paidJourney({ sessionsPerTarget: 3, maxTurns: 2, judge: { threshold: 0.5 } });
  const costUsd = await estimateOf(journeyId);
  await setCap(1_000);
  // As dear as a provider can be: all that it may write, twice what was thought of as read, and no end of calls.
  bench.stub.usageOf = (body) => ({
    input: Math.ceil(body.length / 2),
    output: JSON.parse(body).max_tokens ?? JSON.parse(body).max_completion_tokens,
  });
  bench.stub.onModel = (_, body) =>
    isPersona(body) ? '{"message":"And now?","endSession":false}' : { asks: true };
  // Never the same, which would end a turn early.
  bench.stub.onCall = () => `${bench.stub.calls} copies `.repeat(1_000);
  const { body } = await launch(journeyId);
  const run = await bench.settled(body.id);
  expect(run.attempts.map(({ error }: { error: string | null }) => error)).toContainEqual(
    expect.stringMatching(/^spend_cap_exceeded/),
  );
  const { spentUsd, heldUsd } = await day();
  expect(heldUsd).toBe(0);
  expect(spentUsd).toBeGreaterThan(costUsd / 2);
  expect(spentUsd).toBeLessThanOrEqual(costUsd);
});

it("launches nothing where the day is limited and nobody knows the price", async () => {
  await setCap(10);
  const environmentIds = [await bench.environment({ modelId: bench.stub.model })];
  const refused = await launch(await bench.journey({ environmentIds }));
  expect([refused.status, refused.body.details.code]).toEqual([409, "MODEL_PRICE_UNKNOWN"]);
});

it("costs nothing with rules, whatever the day has left", async () => {
  await setCap(0);
  const journeyId = await bench.journey({ environmentIds: [await bench.environment()] });
  const { status, body } = await launch(journeyId);
  expect(status).toBe(202);
  await bench.settled(body.id);
});

it("is braked for a moment when too many launches come within a minute, and for the day when the organization has had its launches", async () => {
  await using small = await journeyBench({ env: { FETTLE_LIMIT_JOURNEY_RUNS_PER_DAY: "22" } });
  const journeyId = await small.journey({
    environmentIds: [await small.environment()],
    sessionsPerTarget: 1,
    maxTurns: 1,
  });
  const post = (key: string) =>
    small.call("POST", `/journeys/${journeyId}/runs`, {}, { headers: { "idempotency-key": key } });
  const burst = await Promise.all(Array.from({ length: 30 }, (_, index) => post(`burst ${index}`)));
  const braked = burst.filter(({ status }) => status === 429);
  expect(braked.length).toBeGreaterThan(0);
  for (const { body, headers } of braked) {
    const wait = Number(headers.get("retry-after"));
    const told = { retryAfter: wait, retryAfterMs: wait * 1000 };
    expect(body).toMatchObject({ code: "RATE_LIMITED", details: told });
    expect(body.details.limit).toBeUndefined();
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
  }
  // The brake forgets, the day does not.
  const { pool } = small.service.app;
  const again = async (key: string) => {
    await pool.query("delete from rate_limits");
    return post(key);
  };
  const launched = burst.filter(({ status }) => status === 202).length;
  for (let left = 22 - launched; left > 0; left -= 1) {
    expect((await again(`rest ${left}`)).status).toBe(202);
  }
  const refused = await again("one more");
  expect(refused).toMatchObject({
    status: 429,
    body: {
      code: "RATE_LIMITED",
      details: {
        limit: "journeyRunsPerDay",
        currentValue: 22,
        allowedValue: 22,
        resetsAt: expect.any(Number),
      },
    },
  });
  expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(86_400);
  const index = burst.findIndex(({ status }) => status === 202);
  expect((await again(`burst ${index}`)).body, "who only asks again takes no place").toMatchObject({
    id: burst[index]!.body.id,
    deduped: true,
  });
});
