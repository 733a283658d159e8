import { swarmLimits } from "@fettle/contract/visitors";
import { calibrate, defaultAgentLimits, factsOf, ruleModel } from "@fettle/evals";
import { startBookshop, startEverything } from "@fettle/samples";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createEnvironment } from "../../../environments/saved/environments.ts";
import { createRunServers } from "../../../environments/targets/run-servers.ts";
import { ofEnvironment } from "../../../environments/targets/target.ts";
import { createClient } from "../../../servers/clients/clients.ts";
import { type EvalBench, evalBench } from "../../../testing/eval-bench.ts";
import { bookshopVisits } from "../../../testing/swarms/bookshop-visits.ts";
import { bookshopSessions } from "./bookshop.ts";
import type { RecordedSession } from "./frozen.ts";
import { type Driver, driverOf, playVisitor } from "./play-visitor.ts";

let bench: EvalBench;
let environmentId: Awaited<ReturnType<typeof createEnvironment>>["id"];
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  const shop = await startBookshop();
  stack.defer(() => shop.close());
  bench = await evalBench(shop.url, { env: { FETTLE_LIMIT_KEY_BURST: "10000" } });
  stack.defer(() => bench.service.close());
  const { app } = bench.service;
  await app.work();
  const { projectId, people } = bench.world;
  const config = { modelId: "fettle/rules-1", serverIds: [bench.server.id] };
  const { userId } = people.owner;
  const client = await createClient(app, app.db, projectId, userId, { name: "Desk", config });
  const wanted = { name: "Desk", hostId: client.id };
  environmentId = (await createEnvironment(app, app.db, projectId, userId, wanted)).id;
});
afterAll(() => stack.disposeAsync());

/** Everybody of a list, played by whoever is given. */
async function play(visitors: readonly Pick<RecordedSession, "id" | "goal" | "notes">[], driver?: Driver) {
  const { app } = bench.service;
  const { projectId, people } = bench.world;
  const target = await app.db.transaction((tx) =>
    ofEnvironment(tx, { projectId, systemPrompt: null }, environmentId, {}, {}),
  );
  const place = {
    target: { ...target, kind: "environment" as const, id: environmentId },
    model: "fettle/rules-1",
    modelClass: "rules" as const,
    driver: "rules" as const,
  };
  const { callMs } = defaultAgentLimits;
  const { userId } = people.owner;
  const servers = createRunServers(app, { projectId, userId, target: place.target, callMs });
  const model = ruleModel();
  const speaks = driver ?? driverOf(place, model);
  const { signal } = new AbortController();
  const facts: RecordedSession["facts"][] = [];
  try {
    for (const visitor of visitors) {
      const persona = speaks(visitor);
      facts.push(await playVisitor({ visitor, persona, place, model, servers, now: 0, signal }));
    }
  } finally {
    await servers.close();
  }
  return facts;
}

const paired = (simulated: readonly RecordedSession["facts"][]) =>
  calibrate(bookshopSessions.map(({ facts }, at) => ({ real: facts, simulated: simulated[at]! })));

it("the shipped sessions are what the written visits come to, and can be recorded again", async () => {
  const visitors = bookshopVisits.map(({ id, says: [goal = "", ...rest] }) => ({
    id,
    goal,
    notes: rest.join("\n"),
  }));
  const scripted: Driver = ({ id }) => {
    const { says } = bookshopVisits.find((one) => one.id === id)!;
    return (played) => ({ message: says[played.length] ?? "Bye", endSession: played.length === says.length });
  };
  const facts = await play(visitors, scripted);
  const recorded = visitors.map((visitor, at) => ({ ...visitor, facts: facts[at] }));
  await expect(`${JSON.stringify(recorded, null, 2)}\n`).toMatchFileSnapshot("bookshop-sessions.json");
});

it("the right driver lies close to the recorded visitors, deliberately wrong ones visibly farther off", async () => {
  const right = paired(await play(bookshopSessions));
  const silent: Driver = () => (played) => ({ message: "Tell me a joke.", endSession: played.length === 6 });
  const stubborn: Driver =
    ({ goal }) =>
    () => ({ message: goal, endSession: false });
  for (const driver of [silent, stubborn]) {
    const wrong = paired(await play(bookshopSessions, driver));
    expect(wrong.overall.low).toBeGreaterThan(right.overall.high!);
    expect(wrong.overall.error! - right.overall.error!).toBeGreaterThan(0.15);
  }
});

const start = (body: object = {}) => bench.call("POST", "/calibrations", body);
const ended = (id: string) =>
  vi.waitFor(
    async () => {
      const { body } = await bench.call("GET", `/calibrations/${id}`);
      expect(body.status).not.toBe("running");
      return body;
    },
    { timeout: 120_000, interval: 200 },
  );

it("a calibration by the shipped set gives the same report every time, and a scorecard carries its figure", async () => {
  const persona = (await bench.call("POST", "/personas", { name: "Ann", role: "Buyer" })).body;
  const { body: journey } = await bench.call("POST", "/journeys", {
    goal: 'Search books about "tin"',
    personaId: persona.id,
    environmentIds: [environmentId],
    sessionsPerTarget: 1,
    maxTurns: 2,
    rubric: [{ predicate: { type: "noToolErrors" } }],
  });
  const { body: run } = await bench.call("POST", `/journeys/${journey.id}/runs`, {});
  const card = async () => (await bench.call("GET", `/journey-runs/${run.id}/scorecard`)).body.calibration;
  expect(await card()).toBeNull();
  const { status, body } = await start();
  expect([status, body]).toMatchObject([
    202,
    {
      status: "running",
      source: { kind: "shipped", set: "bookshop" },
      sessionsTotal: bookshopSessions.length,
    },
  ]);
  const first = await ended(body.id);
  expect(first).toMatchObject({
    status: "completed",
    personaDriver: "rules",
    sessionsBroken: 0,
    error: null,
  });
  const second = await ended((await start({ environmentId })).body.id);
  expect(second.report).toEqual(first.report);
  expect(await card()).toMatchObject({
    id: second.id,
    ...first.report.overall,
    sessions: first.report.sessions,
  });
  const { items } = (await bench.call("GET", "/calibrations?limit=1")).body;
  expect(items).toEqual([second]);
});

it("says why there is no figure: nowhere to play, too few visitors, or sessions that break", async () => {
  const refused = await start({ scenarioId: "scn_none" });
  expect([refused.status, refused.body.details.code]).toEqual([400, "UNKNOWN_SCENARIO"]);
  expect((await start({ environmentId: "env_none" })).status).toBe(404);
  const { app } = bench.service;
  const { projectId, people } = bench.world;
  const { userId } = people.owner;
  const { body: dead } = await bench.call("POST", "/servers", {
    name: "Dead",
    transportType: "http",
    url: "http://127.0.0.1:9/mcp",
  });
  const config = { modelId: "fettle/rules-1", serverIds: [dead.id] };
  const client = await createClient(app, app.db, projectId, userId, { name: "Nobody", config });
  const lost = await createEnvironment(app, app.db, projectId, userId, { name: "Lost", hostId: client.id });
  const several = await start();
  expect([several.status, several.body.details.code]).toEqual([400, "ENVIRONMENT_REQUIRED"]);
  const failed = await ended((await start({ environmentId: lost.id })).body.id);
  expect(failed).toMatchObject({
    status: "failed",
    report: null,
    error: expect.stringContaining(`a figure takes ${swarmLimits.calibrationSessions.min}`),
  });
});

it("facts of a session leave out words that only say goodbye", () => {
  const turn = { answer: "", succeeded: 0, failed: 0 };
  const turns = ["Find a book", "Thanks a lot!"].map((said) => ({ ...turn, said }));
  expect(factsOf({ goal: "Find a book", turns, calls: [], wasLeft: true })).toMatchObject({
    turns: 1,
    abandoned: true,
  });
});

it("an environment without the tools that the visitors used gives no figure, and says why", async () => {
  const other = await startEverything();
  stack.defer(() => other.close());
  const { body: server } = await bench.call("POST", "/servers", {
    name: "other",
    transportType: "http",
    url: other.url,
  });
  const { app } = bench.service;
  const { projectId, people } = bench.world;
  const { userId } = people.owner;
  const config = { modelId: "fettle/rules-1", serverIds: [server.id] };
  const client = await createClient(app, app.db, projectId, userId, { name: "Elsewhere", config });
  const wanted = { name: "Elsewhere", hostId: client.id };
  const elsewhere = await createEnvironment(app, app.db, projectId, userId, wanted);
  const begun = await start({ environmentId: elsewhere.id });
  expect(await ended(begun.body.id)).toMatchObject({
    status: "failed",
    report: null,
    error: expect.stringContaining("none of the tools that the recorded visitors used (search_books"),
  });
});
