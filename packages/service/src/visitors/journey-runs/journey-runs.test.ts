import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { endLostRuns } from "../../runs/life/watchdog.ts";
import { brief, isPersona, type JourneyBench, journeyBench } from "../../testing/swarms/journey-bench.ts";
import { swarmShelf } from "../swarms/shared-sql.ts";
import { journeyRunKind } from "./kind.ts";
import { readMatrix } from "./matrix.ts";

let bench: JourneyBench;
let now = Date.now();
beforeAll(async () => {
  bench = await journeyBench({ now: () => now });
});
afterAll(() => bench[Symbol.asyncDispose]());
beforeEach(() => {
  bench.stub.onModel = (_, body) => brief(body);
  bench.stub.onCall = () => undefined;
  // The brake of a minute is not what most of these are about.
  now += 60_000;
});

const launch = (journeyId: string, body?: object, key?: string) =>
  bench.call(
    "POST",
    `/journeys/${journeyId}/runs`,
    body,
    key === undefined ? {} : { headers: { "idempotency-key": key } },
  );
const rubric = [
  { id: "calm", label: "No tool fails", predicate: { type: "noToolErrors" } },
  { id: "looks", predicate: { type: "toolCalledAtLeastOnce", toolName: "price" } },
];

it("launches what the estimate said, freezes it, plays and grades every session, and tells each by its key", async () => {
  const environmentId = await bench.environment();
  const journeyId = await bench.journey({
    environmentIds: [environmentId],
    rubric,
    judge: { threshold: 0.5 },
  });
  const estimate = await bench.call("GET", `/journeys/${journeyId}/runs/estimate`);
  expect(estimate.body).toEqual({
    targets: [
      {
        targetId: environmentId,
        kind: "environment",
        name: expect.any(String),
        model: "fettle/rules-1",
        modelClass: "rules",
        personaDriver: "rules",
      },
    ],
    sessions: 2,
    modelCalls: 0,
    costUsd: 0,
  });
  const { status, body: launched } = await launch(journeyId, { waveId: "spring" });
  expect([status, launched]).toEqual([
    202,
    {
      id: expect.stringMatching(/^jrn_/),
      journeyId,
      projectId: bench.world.projectId,
      waveId: "spring",
      status: "running",
      deduped: false,
    },
  ]);
  // What is changed from now on changes nothing in it.
  await bench.call("PATCH", `/journeys/${journeyId}`, { goal: "Something else", rubric: [] });
  const run = await bench.settled(launched.id);
  expect(run).toMatchObject({
    status: "completed",
    displayStatus: "completed",
    goal: "Find how many copies of book 7 there are",
    rubric: [{ id: "calm" }, { id: "looks" }],
    counts: { succeeded: 2 },
    targetSummaries: [{ targetId: environmentId, environmentRevision: expect.any(Number) }],
    goalCompletion: { gradedCount: 2, pendingCount: 0, failedCount: 0 },
    costUsd: 0,
  });
  const [first] = run.attempts;
  expect(first).toMatchObject({
    id: `synth_${launched.id}_env_${environmentId}_0`,
    end: expect.stringMatching(/^(persona|turns)$/),
    grading: {
      status: "completed",
      criteria: [
        { id: "calm", passed: true },
        { id: "looks", passed: false },
      ],
    },
  });
  const sessions = (await bench.call("GET", `/journey-runs/${run.id}/sessions?limit=1`)).body;
  expect(sessions.items).toMatchObject([{ id: first.id, goal: first.goal, grading: first.grading }]);
  const rest = await bench.call("GET", `/journey-runs/${run.id}/sessions?cursor=${sessions.nextCursor}`);
  expect(rest.body.items).toMatchObject([{ id: run.attempts[1].id }]);
  const said = (await bench.call("GET", `/journey-runs/${run.id}/sessions/${first.id}`)).body;
  expect(said).toMatchObject({ personaDriver: "rules", warnings: expect.any(Array) });
  expect(said.messages.map(({ role }: { role: string }) => role)).toContain("tool");
  expect((await bench.call("GET", `/journeys/${journeyId}/runs`)).body.items).toMatchObject([{ id: run.id }]);
  const scored = await bench.call("GET", `/journey-runs/${run.id}/scorecard`);
  const counted = { pendingCount: 0, failedGradingCount: 0 };
  expect(scored.body).toMatchObject({
    criteria: [
      { id: "calm", label: "No tool fails", passCount: 2, failCount: 0, passRate: 1, ...counted },
      { id: "looks", label: null, passCount: 0, failCount: 2, passRate: 0, ...counted },
    ],
    sessionsGraded: 2,
    calibration: null,
  });
});

it("shows a swarm by its journeys' latest runs, and one that was never launched without any", async () => {
  const { body: swarm } = await bench.call("POST", "/swarms", {
    name: "Shop",
    sessionsPerTarget: 2,
    maxTurns: 3,
  });
  const environmentId = await bench.environment();
  const journeyId = await bench.journey({ swarmId: swarm.id, environmentIds: [environmentId] });
  const unplayed = await bench.journey({ swarmId: swarm.id });
  await bench.settled((await launch(journeyId)).body.id);
  now += 1_000;
  const { body: latest } = await launch(journeyId);
  await bench.settled(latest.id);
  const { app } = bench.service;
  const row = await swarmShelf.find(app.db, bench.world.projectId, swarm.id);
  const { rows } = await readMatrix(app, row!);
  const byJourney = Object.fromEntries(rows.map((each) => [each.journeyId, each]));
  expect(byJourney[unplayed]).toMatchObject({ persona: { name: "Ann" }, run: null });
  const state = "succeeded";
  expect(byJourney[journeyId]?.run).toMatchObject({
    id: latest.id,
    targets: [
      {
        targetId: environmentId,
        sessions: [0, 1].map((at) => ({ id: `synth_${latest.id}_env_${environmentId}_${at}`, state })),
      },
    ],
  });
});

it("finds what visitors met, keeps launches out of it, and lets a finding be dismissed", async () => {
  bench.stub.onCall = () => "Error: no such book";
  const journeyId = await bench.journey({
    environmentIds: [await bench.environment()],
    judge: { threshold: 0.9 },
    rubric: [{ id: "priced", predicate: { type: "toolCalledAtLeastOnce", toolName: "price" } }],
    sessionsPerTarget: 6,
  });
  const { body: launched } = await launch(journeyId, { waveId: "found" });
  await bench.settled(launched.id);
  const path = `/journey-runs/${launched.id}`;
  const { insights } = await vi.waitFor(async () => {
    const { body } = await bench.call("GET", path);
    expect(body.insights.status).toBe("completed");
    return body;
  }, 60_000);
  expect(insights).toMatchObject({
    scope: { kind: "swarm_wave", id: "found", runId: launched.id },
    coverage: { unit: "sessions", analyzed: 6, total: 6 },
    runHealth: { targets: [{ attempted: 6, succeeded: 6, failed: 0, rateLimited: 0 }] },
  });
  const { items } = (await bench.call("GET", "/journey-findings")).body;
  expect(items.length).toBeGreaterThan(0);
  const { id } = items[0];
  const dismissed = await bench.call("POST", `/journey-findings/${id}/dismiss`);
  expect(dismissed.body).toMatchObject({ id, dismissed: true, dismissedAt: expect.any(Number) });
  const listed = async (filter: string) =>
    (await bench.call("GET", `/journey-findings?dismissed=${filter}`)).body.items.map(
      (found: { id: string }) => found.id,
    );
  expect(await listed("true")).toEqual([id]);
  expect(await listed("false")).not.toContain(id);
  const back = await bench.call("POST", `/journey-findings/${id}/undismiss`);
  expect(back.body).toMatchObject({ id, dismissed: false, dismissedAt: null });
});

it("makes one run of fifty launches with one key that come at once, and plays it once", async () => {
  const journeyId = await bench.journey({ environmentIds: [await bench.environment()] });
  const calls = bench.stub.calls;
  const answers = await Promise.all(Array.from({ length: 50 }, () => launch(journeyId, {}, "once")));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  expect(answers.filter(({ body }) => !body.deduped)).toHaveLength(1);
  const { id } = answers[0]!.body;
  const { attempts } = await bench.settled(id);
  const made = attempts.reduce((sum: number, one: { toolCalls: number }) => sum + one.toolCalls, 0);
  expect(bench.stub.calls - calls).toBe(made);
  expect((await launch(journeyId, {}, "once")).body).toMatchObject({
    id,
    status: "completed",
    deduped: true,
  });
  const other = await launch(journeyId, { waveId: "other" }, "once");
  expect([other.status, other.body.details.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED"]);
});

const refusals: [string, () => Promise<object>, object | undefined, string][] = [
  ["no place", async () => ({}), undefined, "NO_TARGETS"],
  [
    "a client that asks before calls",
    async () => ({ environmentIds: [await bench.environment({ requireToolApproval: true })] }),
    undefined,
    "APPROVAL_UNSUPPORTED",
  ],
  [
    "more sessions than a launch may have",
    async () => ({
      environmentIds: [await bench.environment(), await bench.environment()],
      sessionsPerTarget: 60,
    }),
    undefined,
    "TOO_MANY_SESSIONS",
  ],
  [
    "a model that nobody has",
    async () => ({ environmentIds: [await bench.environment({ modelId: "openai/gpt-none" })] }),
    undefined,
    "MODEL_UNAVAILABLE",
  ],
];
it.each(refusals)("launches nothing with %s, and estimates nothing", async (_, over, body, code) => {
  const journeyId = await bench.journey(await over());
  for (const refused of [
    await launch(journeyId, body),
    await bench.call("GET", `/journeys/${journeyId}/runs/estimate`),
  ]) {
    expect([refused.status, refused.body.details.code]).toEqual([400, code]);
  }
  expect((await bench.call("GET", `/journeys/${journeyId}/runs`)).body.items).toEqual([]);
});

it("takes no empty list of environments, and nothing at all for a body", async () => {
  const journeyId = await bench.journey({ environmentIds: [await bench.environment()] });
  expect((await launch(journeyId, { environmentIds: [] })).status).toBe(400);
  const path = `/api/v1/projects/${bench.world.projectId}/journeys/${journeyId}/runs`;
  const key = bench.world.people.member.key;
  expect((await bench.service.call(path, { method: "POST", key, body: "null" })).status).toBe(400);
  expect((await launch(journeyId)).status).toBe(202);
});

describe("with a model", () => {
  /** Whose words say which place they come from. */
  const place = (mark: string) =>
    bench.environment({ modelId: bench.stub.model, systemPrompt: `Place ${mark}.` });

  const ends: [string, (body: string) => number | string | undefined, object][] = [
    ["all succeeded", brief, { status: "completed", counts: { succeeded: 4 } }],
    [
      "some succeeded",
      (body) => (body.includes("Place B.") ? 400 : brief(body)),
      { status: "partial", counts: { succeeded: 2, failed: 2 } },
    ],
    ["none succeeded otherwise", () => 400, { status: "failed", counts: { failed: 4 } }],
    [
      "a persona that says nothing",
      (body) => (isPersona(body) ? '{"message":"Bye","endSession":true}' : undefined),
      { status: "failed", counts: { failed: 4 } },
    ],
  ];
  it.each(ends)("%s", async (_, onModel, expected) => {
    bench.stub.onModel = (_headers, body) => onModel(body);
    const journeyId = await bench.journey({ environmentIds: [await place("A"), await place("B")] });
    const { body } = await launch(journeyId);
    expect(await bench.settled(body.id)).toMatchObject(expected);
  });

  it("is cancelled once: what has not begun never does, what is under way lets go, and the second time nothing is done", async () => {
    const called = Promise.withResolvers<void>();
    const held = Promise.withResolvers<undefined>();
    bench.stub.onCall = () => {
      called.resolve();
      return held.promise;
    };
    const journeyId = await bench.journey({ environmentIds: [await place("A")], sessionsPerTarget: 3 });
    const { body: launched } = await launch(journeyId);
    await called.promise;
    const cancel = () => bench.call("POST", `/journey-runs/${launched.id}/cancel`);
    expect((await cancel()).body).toMatchObject({ canceled: true, alreadyCanceled: false, finalized: 2 });
    const run = await bench.settled(launched.id);
    held.resolve(undefined);
    expect(run).toMatchObject({
      status: "failed",
      displayStatus: "canceled",
      error: "canceled",
      canceled: true,
      stale: false,
      attempts: [
        { state: "failed", error: "session_aborted" },
        { state: "failed", error: "runner_shutdown" },
        { state: "failed", error: "runner_shutdown" },
      ],
    });
    expect((await cancel()).body).toMatchObject({ canceled: true, alreadyCanceled: true, finalized: 0 });
  });

  it("is ended by the watchdog when whoever plays it is silent for three beats, and not before", async () => {
    const called = Promise.withResolvers<void>();
    const held = Promise.withResolvers<undefined>();
    bench.stub.onCall = () => {
      called.resolve();
      return held.promise;
    };
    const journeyId = await bench.journey({ environmentIds: [await place("A")] });
    const { body: launched } = await launch(journeyId);
    await called.promise;
    now += 89_000;
    await endLostRuns(bench.service.app, journeyRunKind);
    expect((await bench.call("GET", `/journey-runs/${launched.id}`)).body.status).toBe("running");
    now += 2_000;
    await endLostRuns(bench.service.app, journeyRunKind);
    expect(await bench.settled(launched.id)).toMatchObject({
      status: "failed",
      error: "stale_runner",
      stale: true,
      canceled: false,
      attempts: [{ error: "stale_runner" }, { error: "stale_runner" }],
    });
    held.resolve(undefined);
    const refused = await bench.call("POST", `/journey-runs/${launched.id}/cancel`);
    expect([refused.status, refused.body.details.code]).toEqual([409, "RUN_ENDED"]);
  });
});

it("tells a run as it goes, and to who comes late what was before and that it is over", async () => {
  const journeyId = await bench.journey({
    environmentIds: [await bench.environment()],
    sessionsPerTarget: 1,
    maxTurns: 1,
  });
  const { body } = await launch(journeyId);
  const url = `${bench.service.url}/api/v1/projects/${bench.world.projectId}/journey-runs/${body.id}/events`;
  const follow = async () =>
    (await fetch(url, { headers: { authorization: `Bearer ${bench.world.people.member.key}` } })).text();
  const kinds = (text: string) => [...text.matchAll(/^event: (\w+)$/gm)].map(([, kind]) => kind);
  const whole = ["session_start", "turn", "session_end", "run_complete"];
  expect(kinds(await follow()).filter((kind) => kind !== "hello")).toEqual(whole);
  await vi.waitFor(async () => expect(kinds(await follow())).toEqual(whole), 60_000);
});

/* Last, because the provider refuses everybody from now on. */
it.each([
  [
    "in one place, which stops that place alone",
    ["rules", "model"],
    "partial",
    { succeeded: 2, rate_limited: 2 },
  ],
  ["everywhere", ["model", "model"], "rate_limited", { rate_limited: 4 }],
])("a provider's limit %s", async (_, places, status, counts) => {
  bench.stub.onModel = () => ({ fault: "limit" });
  const environmentIds = await Promise.all(
    places.map((kind) => bench.environment(kind === "rules" ? {} : { modelId: bench.stub.model })),
  );
  const { body } = await launch(await bench.journey({ environmentIds }));
  expect(await bench.settled(body.id)).toMatchObject({ status, counts });
});
