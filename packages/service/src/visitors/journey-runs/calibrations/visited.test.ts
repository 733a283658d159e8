/** @module Calibrations by people who really came, with a model in their place: what it may cost, and what stops it. */
import { limits } from "@fettle/contract/core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { readDay, setCapUsd } from "../../../models/budget.ts";
import { brief, isFirstWords } from "../../../testing/swarms/journey-bench.ts";
import { type PublishedScenario, type VisitedBench, visitedBench } from "../../../testing/visited-bench.ts";

let visited: VisitedBench;
let scenario: PublishedScenario;
let later = 0;
beforeAll(async () => {
  visited = await visitedBench({ now: () => Date.now() + later });
  await visited.bench.service.app.work();
  scenario = await visited.publish({}, visited.model);
});
afterAll(() => visited[Symbol.asyncDispose]());
beforeEach(() => {
  visited.stub.onModel = (_, body) => brief(body);
});
afterEach(async () => {
  visited.stub.onCall = () => undefined;
  await setCap(null);
});

const setCap = (usd: number | null) =>
  setCapUsd(visited.bench.service.app, visited.bench.world.organizationId, usd);

/** Says all of it, and leaves. */
async function come(says: readonly string[]): Promise<void> {
  await visited.forgetPace();
  const person = visited.visitor();
  const sessionId = await person.begin(scenario.link);
  for (const message of says) await person.say(sessionId, message);
  await person.call(`/sessions/${sessionId}/end`, "POST");
}

const start = () => visited.call("POST", "/calibrations", { scenarioId: scenario.id });
const estimate = async () =>
  (await visited.call("GET", `/calibrations/estimate?scenarioId=${scenario.id}`)).body;
const read = async (id: string) => (await visited.call("GET", `/calibrations/${id}`)).body;
const ended = (id: string) =>
  vi.waitFor(
    async () => {
      const body = await read(id);
      expect(body.status).not.toBe("running");
      return body;
    },
    { timeout: 120_000, interval: 100 },
  );
const day = () => readDay(visited.bench.service.app, visited.bench.world.organizationId);

it("plays whoever came, as soon as enough of them have left, with a model in their place and within what was estimated", async () => {
  await come(["How many copies of book 7?"]);
  await come(["How many copies of book 7?", "And of the same one now?"]);
  const early = await start();
  expect([early.status, early.body.details.code]).toEqual([400, "TOO_FEW_SESSIONS"]);
  await come(["How many copies of book 7?", "Thanks"]);
  // Somebody who never said goodbye has left, too, after a while.
  await visited.forgetPace();
  const silent = visited.visitor();
  await silent.say(await silent.begin(scenario.link), "Hello");
  later = limits.userTesting.idleMs + 1;
  const told = await estimate();
  expect(told).toMatchObject({
    source: { kind: "scenario", scenarioId: scenario.id },
    environmentId: scenario.environmentId,
    personaDriver: "model",
    model: visited.model,
    sessions: 4,
  });
  expect(told.costUsd).toBeGreaterThan(0);
  const before = await day();
  await setCap(before.spentUsd + told.costUsd);
  const { status, body } = await start();
  expect([status, body.sessionsTotal]).toEqual([202, 4]);
  const done = await ended(body.id);
  expect(done).toMatchObject({ status: "completed", sessionsPlayed: 4, sessionsBroken: 0, error: null });
  expect(done.report).toMatchObject({ sessions: 4 });
  const turns = done.report.measures.find(({ id }: { id: string }) => id === "turns");
  // One, two, one (thanks are none) and one message; the stub's visitor says one each time.
  expect([turns.real, turns.simulated]).toEqual([1.25, 1]);
  const after = await day();
  expect(after.heldUsd).toBe(0);
  expect(after.spentUsd - before.spentUsd).toBeGreaterThan(0);
  expect(after.spentUsd - before.spentUsd).toBeLessThanOrEqual(told.costUsd);
  const frozen = await visited.bench.service.app.pool.query("select frozen from calibrations where id = $1", [
    body.id,
  ]);
  expect(frozen.rows[0].frozen, "what visitors said is kept in one place only").toBeNull();
});

it("is refused when the day has not left what it may cost, and takes nothing then", async () => {
  const { costUsd } = await estimate();
  const { spentUsd } = await day();
  for (const cap of [0, spentUsd + costUsd / 2]) {
    await setCap(cap);
    const refused = await start();
    expect([refused.status, refused.body.details.limit]).toEqual([429, "modelCredits"]);
  }
  expect(await day()).toMatchObject({ heldUsd: 0, spentUsd });
});

it("is cancelled once: what is under way lets go, what was set aside comes back, and no scorecard knows of it", async () => {
  await setCap(1_000);
  const called = Promise.withResolvers<void>();
  const held = Promise.withResolvers<undefined>();
  visited.stub.onCall = () => {
    called.resolve();
    return held.promise;
  };
  const { id } = (await start()).body;
  await called.promise;
  const cancel = () => visited.call("POST", `/calibrations/${id}/cancel`);
  expect([(await cancel()).body, (await cancel()).body]).toMatchObject([
    { id, status: "canceled", report: null },
    { id, status: "canceled" },
  ]);
  held.resolve(undefined);
  await vi.waitFor(async () => expect((await day()).heldUsd).toBe(0), { timeout: 60_000, interval: 100 });
  expect((await read(id)).sessionsPlayed).toBe(0);
  const over = await visited.call("GET", "/calibrations?limit=50");
  const done = over.body.items.find(({ status }: { status: string }) => status === "completed");
  const late = await visited.call("POST", `/calibrations/${done.id}/cancel`);
  expect([late.status, late.body.details.code]).toEqual([409, "CALIBRATION_ENDED"]);
});

it("stops at a provider's limit: who has not been played is told as broken off, and too few give no figure", async () => {
  let begun = 0;
  visited.stub.onModel = (_, body) => {
    if (isFirstWords(body)) begun += 1;
    return begun > 2 ? 402 : brief(body);
  };
  const done = await ended((await start()).body.id);
  expect(done).toMatchObject({ status: "failed", sessionsPlayed: 4, sessionsBroken: 2, report: null });
  expect(done.error).toContain("2 of 4");
  expect(begun, "nobody after the first who met it").toBe(3);
});
