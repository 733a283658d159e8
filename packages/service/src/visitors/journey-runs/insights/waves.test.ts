import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { brief, type JourneyBench, journeyBench } from "../../../testing/swarms/journey-bench.ts";

let bench: JourneyBench;
let now = Date.now();
beforeAll(async () => {
  bench = await journeyBench({ now: () => now });
});
afterAll(() => bench[Symbol.asyncDispose]());
beforeEach(() => {
  bench.stub.onModel = (_, body) => brief(body);
  bench.stub.onCall = () => undefined;
  now += 60_000;
});

const rubric = [
  {
    id: "priced",
    label: "The price is asked for",
    predicate: { type: "toolCalledAtLeastOnce", toolName: "price" },
  },
];

async function played(journeyId: string, waveId: string) {
  const { status, body } = await bench.call("POST", `/journeys/${journeyId}/runs`, { waveId });
  expect(status).toBe(202);
  return bench.settled(body.id);
}

const looked = (waveId: string) =>
  vi.waitFor(
    async () => {
      const { body } = await bench.call("GET", `/waves/${waveId}/insights`);
      expect(body.status).toBe("completed");
      return body;
    },
    { timeout: 60_000, interval: 100 },
  );

it("shows the project's runs at a glance: what they came to, which checks fail, and for how many runs", async () => {
  expect((await bench.call("GET", "/journeys-overview")).body).toEqual({
    runs: [],
    runsConsidered: 0,
    goalCompletion: { gradedCount: 0, passedCount: 0, passRate: null, runsWithGrades: 0, trend: [] },
  });
  const environmentId = await bench.environment();
  const graded = await bench.journey({ environmentIds: [environmentId], rubric, judge: { threshold: 0 } });
  const plain = await bench.journey({ environmentIds: [environmentId] });
  const first = await played(graded, "one");
  now += 1_000;
  const second = await played(graded, "two");
  now += 1_000;
  const third = await played(plain, "three");
  await bench.call("DELETE", `/journeys/${plain}`);
  const { body } = await bench.call("GET", "/journeys-overview");
  expect(body).toMatchObject({
    runsConsidered: 3,
    runs: [
      { runId: third.id, journeyArchived: true, goalCompletion: null, findings: [] },
      {
        runId: second.id,
        journeyArchived: false,
        personaName: "Ann",
        status: "completed",
        summary: { total: 2, succeeded: 2, failed: 0, rateLimited: 0 },
        goalCompletion: { gradedCount: 2, passedCount: 2, pendingCount: 0, failedCount: 0 },
        findings: [
          {
            criterionId: "priced",
            label: "The price is asked for",
            kind: "toolCalledAtLeastOnce",
            failCount: 2,
            pendingCount: 0,
            failedGradingCount: 0,
            sessionsGraded: 2,
            runStreak: 2,
          },
        ],
        targets: [{ targetId: environmentId, kind: "environment", model: "fettle/rules-1" }],
      },
      // Only the latest run of a journey tells what fails.
      { runId: first.id, findings: [] },
    ],
    goalCompletion: {
      gradedCount: 4,
      passedCount: 4,
      passRate: 1,
      runsWithGrades: 2,
      trend: [{ dayStartMs: now - (now % 86_400_000), gradedCount: 4, passedCount: 4, passRate: 1 }],
    },
  });
});

it("tells a wave's problems, what changed since the wave before, and the ways that its sessions took", async () => {
  bench.stub.onCall = () => "Error: no such book";
  const journeyId = await bench.journey({
    environmentIds: [await bench.environment()],
    rubric,
    sessionsPerTarget: 3,
  });
  await played(journeyId, "before");
  await looked("before");
  now += 1_000;
  await played(journeyId, "after");
  const { insights, baseline, discovery, ...rest } = await looked("after");
  expect(rest).toMatchObject({ waveId: "after", projectId: bench.world.projectId, errorCode: null });
  expect(insights).toMatchObject({ scope: { kind: "swarm_wave", id: "after" }, status: "completed" });
  const ids = insights.findings.map(({ id }: { id: string }) => id);
  expect(ids.length).toBeGreaterThan(0);
  expect(baseline).toEqual({
    waveId: "before",
    newFindingIds: [],
    recurringFindingIds: ids,
    goneFindingIds: [],
  });
  expect(discovery).toEqual({
    truncated: false,
    paths: [
      {
        journeyId,
        journeyName: expect.any(String),
        path: "stock",
        sessions: 3,
        ofSessions: 3,
        failedCalls: expect.any(Number),
        goalRate: null,
        exampleSessionId: expect.stringMatching(/^synth_/),
      },
    ],
  });
});

it("is asked for and taken back by members of the workspace; others of the project see neither it nor its findings on a run", async () => {
  const journeyId = await bench.journey({
    environmentIds: [await bench.environment()],
    sessionsPerTarget: 1,
  });
  const run = await played(journeyId, "who");
  await looked("who");
  const path = "/waves/who/insights";
  const statuses = async (person: "member" | "editor" | "stranger") => [
    (await bench.call("GET", path, undefined, { person })).status,
    (await bench.call("POST", path, {}, { person })).status,
    (await bench.call("GET", `/journey-runs/${run.id}`, undefined, { person })).status,
  ];
  expect(await statuses("editor")).toEqual([403, 403, 200]);
  expect(await statuses("stranger")).toEqual([404, 404, 404]);
  const seen = (await bench.call("GET", `/journey-runs/${run.id}`, undefined, { person: "editor" })).body;
  expect(seen.insights).toBeUndefined();
  expect(await statuses("member")).toEqual([200, 202, 200]);
  await looked("who");
  const refused = await bench.call("DELETE", path);
  expect([refused.status, refused.body.details.code]).toEqual([409, "NOTHING_PENDING"]);
  expect((await bench.call("GET", "/waves/never/insights")).status).toBe(404);
});

/* Last, because the provider refuses everybody from now on. */
it("counts every run of a wave in its health, place by place, and makes no finding of how launches went", async () => {
  const good = await bench.environment();
  const broken = await bench.environment({ modelId: bench.stub.model, systemPrompt: "Place B." });
  const limited = await bench.environment({ modelId: bench.stub.model, systemPrompt: "Place L." });
  bench.stub.onModel = () => 400;
  await played(await bench.journey({ environmentIds: [good, broken] }), "mixed");
  now += 1_000;
  bench.stub.onModel = () => ({ fault: "limit" });
  const last = await played(await bench.journey({ environmentIds: [good, limited] }), "mixed");
  const { insights } = await looked("mixed");
  const health = (subjectId: string, rest: object) =>
    expect.objectContaining({ subjectKind: "environment", subjectId, ...rest });
  const expected = {
    targets: expect.arrayContaining([
      health(good, { attempted: 4, succeeded: 4, failed: 0, rateLimited: 0 }),
      health(broken, { attempted: 2, succeeded: 0, failed: 2, rateLimited: 0 }),
      health(limited, { attempted: 2, succeeded: 0, failed: 0, rateLimited: 2 }),
    ]),
  };
  expect(insights.runHealth).toEqual(expected);
  expect(insights.runHealth.targets).toHaveLength(3);
  const { body } = await bench.call("GET", `/journey-runs/${last.id}`);
  expect(body.insights.runHealth).toEqual(expected);
  expect(insights.coverage).toMatchObject({ analyzed: 4, total: 4 });
  expect(JSON.stringify(insights.findings)).not.toMatch(/Place|limit|rate/i);
});
