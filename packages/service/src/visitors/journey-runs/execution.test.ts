/** @module How sessions of a run are played: how many at once, in which order, under which names, and whom a fault stops. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { endLostRuns } from "../../runs/life/watchdog.ts";
import { createClient } from "../../servers/clients/clients.ts";
import { brief, type JourneyBench, journeyBench } from "../../testing/swarms/journey-bench.ts";
import { journeyRunKind } from "./kind.ts";
import { findRun } from "./store.ts";

let bench: JourneyBench;
beforeAll(async () => {
  bench = await journeyBench();
});
afterAll(() => bench[Symbol.asyncDispose]());

interface Session {
  id: string;
  state: string;
  error: string | null;
  index: number;
  targetId: string;
  startedAt: number | null;
  endedAt: number;
}
const play = async (journey: object): Promise<{ id: string; status: string; attempts: Session[] }> => {
  const { body } = await bench.call("POST", `/journeys/${await bench.journey(journey)}/runs`);
  return bench.settled(body.id);
};
/** A beat comes every half minute. */
const waiting = { timeout: 120_000, interval: 200 };
const places = (count: number, config: object = {}) =>
  Promise.all(
    Array.from({ length: count }, () => bench.environment({ modelId: bench.stub.model, ...config })),
  );

it("visits three places at once and no fourth, and in each one visitor after the other, in order", async () => {
  let inside = 0;
  let most = 0;
  const three = Promise.withResolvers<undefined>();
  bench.stub.onCall = async () => {
    inside += 1;
    most = Math.max(most, inside);
    if (inside === 3) three.resolve(undefined);
    await three.promise;
    inside -= 1;
    return undefined;
  };
  const { status, attempts } = await play({ environmentIds: await places(5), sessionsPerTarget: 3 });
  bench.stub.onCall = () => undefined;
  expect([status, most]).toEqual(["completed", 3]);
  for (const own of Map.groupBy(attempts, ({ targetId }) => targetId).values()) {
    expect(own.map(({ index }) => index)).toEqual([0, 1, 2]);
    for (const [at, { endedAt }] of own.slice(0, -1).entries())
      expect(own[at + 1]!.startedAt).toBeGreaterThanOrEqual(endedAt);
  }
});

it("names a session after its client where a journey is made in clients", async () => {
  const { app } = bench.service;
  const { projectId, people } = bench.world;
  const config = { modelId: "fettle/rules-1", serverIds: [bench.server.id] };
  const { id } = await createClient(app, app.db, projectId, people.owner.userId, { name: "Bare", config });
  const run = await play({ hostIds: [id] });
  expect(run.attempts.map((session) => session.id)).toEqual([
    `synth_${run.id}_${id}_0`,
    `synth_${run.id}_${id}_1`,
  ]);
});

it("stops everywhere when the account behind a key is empty: who has not begun never does", async () => {
  bench.stub.onModel = (_, body) => (body.includes("Place B.") ? 402 : brief(body));
  const environmentIds = [
    ...(await places(1, { systemPrompt: "Place A." })),
    ...(await places(1, { systemPrompt: "Place B." })),
  ];
  const { attempts } = await play({ environmentIds, sessionsPerTarget: 40 });
  bench.stub.onModel = (_, body) => brief(body);
  const [begun, never] = [true, false].map((did) =>
    attempts.filter(({ startedAt }) => (startedAt !== null) === did),
  );
  const ofB = begun!.filter(({ targetId }) => targetId === environmentIds[1]);
  expect(ofB).toMatchObject([{ state: "failed", error: expect.stringMatching(/^spend_cap_exceeded: /) }]);
  expect(never!.length).toBeGreaterThanOrEqual(39);
  for (const session of never!)
    expect(session).toMatchObject({ state: "failed", error: "spend_cap_exceeded" });
});

it("a fault of one visitor stops nobody else", async () => {
  let asked = 0;
  bench.stub.onModel = (_, body) => {
    asked += 1;
    return asked === 1 ? 400 : brief(body);
  };
  const { status, attempts } = await play({ environmentIds: await places(1), sessionsPerTarget: 3 });
  bench.stub.onModel = (_, body) => brief(body);
  expect([status, attempts.map(({ state }) => state)]).toEqual([
    "partial",
    ["failed", "succeeded", "succeeded"],
  ]);
});

it("says from time to time that it lives while a visitor takes long, so that the watchdog leaves it alone", async () => {
  const { db } = bench.service.app;
  const held = Promise.withResolvers<undefined>();
  bench.stub.onCall = () => held.promise;
  const journeyId = await bench.journey({ environmentIds: await places(1), sessionsPerTarget: 1 });
  const { body } = await bench.call("POST", `/journeys/${journeyId}/runs`);
  const beat = async () => (await findRun(db, bench.world.projectId, body.id))?.heartbeatAt?.getTime() ?? 0;
  const first = await vi.waitFor(async () => {
    const at = await beat();
    expect(at).toBeGreaterThan(0);
    return at;
  }, waiting);
  await vi.waitFor(async () => expect(await beat()).toBeGreaterThan(first), waiting);
  await endLostRuns(bench.service.app, journeyRunKind);
  bench.stub.onCall = () => undefined;
  held.resolve(undefined);
  expect(await bench.settled(body.id)).toMatchObject({ status: "completed", stale: false });
});
