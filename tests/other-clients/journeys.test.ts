/** Journey runs as other clients read them: progress, sessions, the overview, findings, cancelling and dismissing. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type JourneyBench, journeyBench } from "../../packages/service/src/testing/swarms/journey-bench.ts";
import { expectShape, type Shape } from "./answers.ts";

let bench: JourneyBench;
let journeyId: string;
let environmentId: string;
let run: Answered;

// What was answered; each test says what of it is read.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Answered = any;

const read = async (path: string): Promise<Answered> => (await bench.call("GET", path)).body;
const post = (path: string, body?: object) => bench.call("POST", path, body);

beforeAll(async () => {
  bench = await journeyBench();
  bench.stub.onCall = () => "Error: no such book";
  environmentId = await bench.environment();
  journeyId = await bench.journey({
    environmentIds: [environmentId],
    sessionsPerTarget: 6,
    judge: { threshold: 0.5 },
    // Every session misses it.
    rubric: [{ id: "looks", predicate: { type: "toolCalledAtLeastOnce", toolName: "price" } }],
  });
  const { body } = await post(`/journeys/${journeyId}/runs`, { waveId: "spring" });
  await bench.settled(body.id);
  await vi.waitFor(async () => expect(await finding()).toBeDefined(), 60_000);
  run = await read(`/journey-runs/${body.id}`);
});
afterAll(() => bench[Symbol.asyncDispose]());

const statuses = "running|completed|partial|failed|rate_limited";
const runShape: Shape = {
  id: "text",
  projectId: "text",
  journeyId: "text",
  "waveId?": "text",
  status: statuses,
  canceled: "flag",
  stale: "flag",
  "error?": "text",
  summary: "object",
  targets: "list",
  "persona?": "object",
  createdAt: "time",
  "lastHeartbeatAt?": "time",
  "insights?": "object",
};
const summaryShape: Shape = { total: "count", succeeded: "count", failed: "count", rateLimited: "count" };
const targetShape: Shape = { hostId: "text", "hostName?": "text", "targetId?": "text", "modelId?": "text" };
const personaShape: Shape = { personaId: "text", name: "text", role: "text|null" };

const parts: [string, () => Promise<Answered>, Shape][] = [
  [
    "a launch",
    async () => (await launched()).body,
    {
      id: "text",
      journeyId: "text",
      projectId: "text",
      status: "running",
      deduped: "flag",
    },
  ],
  ["a run", async () => run, { ...runShape, attempts: "list", targetSummaries: "list" }],
  ["a run's progress", async () => run.summary, summaryShape],
  ["a run's target", async () => run.targets[0], targetShape],
  ["a run's persona", async () => run.persona, personaShape],
  [
    "an attempt of a run",
    async () => run.attempts[0],
    {
      chatSessionId: "text|null",
      hostId: "text",
      targetId: "text|null",
      sessionIndex: "count",
      status: "pending|running|succeeded|failed|rate_limited",
      errorCode: "text|null",
      errorMessage: "text|null",
    },
  ],
  [
    "a target of a run, summed up",
    async () => run.targetSummaries[0],
    {
      hostId: "text",
      "targetId?": "text",
      ...summaryShape,
    },
  ],
  ["a run in the list", async () => (await read(`/journeys/${journeyId}/runs`)).items[0], runShape],
  [
    "a session",
    async () => (await read(`/journey-runs/${run.id}/sessions`)).items[0],
    {
      id: "text",
      chatSessionId: "text",
      projectId: "text",
      "hostId?": "text",
      "runId?": "text",
      "journeyId?": "text",
      "personaId?": "text",
      "personaLabel?": "text",
      status: "active|archived|null",
      "outcome?": "text|null",
      readiness: "any",
      goalScore: "any",
      messageCount: "count",
      "preview?": "text",
      "modelId?": "text",
      startedAt: "time|null",
      lastActivityAt: "time|null",
    },
  ],
  [
    "a run in the overview",
    async () => await overviewOf(run.id),
    {
      runId: "text",
      journeyId: "text",
      journeyName: "text",
      journeyArchived: "flag",
      personaName: "text",
      status: "text",
      "waveId?": "text",
      summary: "object",
      goalCompletion: "object|null",
      findings: "list",
      targets: "list",
      createdAt: "time",
    },
  ],
  [
    "a target in the overview",
    async () => (await overviewOf(run.id)).targets[0],
    {
      hostName: "text",
      modelId: "text",
      "environmentName?": "text",
    },
  ],
  [
    "a missed criterion in the overview",
    async () => (await overviewOf(run.id)).findings[0],
    {
      criterionId: "text",
      label: "text|null",
      kind: "text|null",
      failCount: "count",
      pendingCount: "count",
      failedGradingCount: "count",
      sessionsGraded: "count",
      runStreak: "count",
    },
  ],
  [
    "the overview",
    () => read("/journeys-overview"),
    {
      runs: "list",
      runsConsidered: "count",
      goalCompletion: "object",
    },
  ],
  [
    "the overview's goals",
    async () => (await read("/journeys-overview")).goalCompletion,
    {
      gradedCount: "count",
      passedCount: "count",
      passRate: "number|null",
      runsWithGrades: "count",
      trend: "list",
    },
  ],
  [
    "a finding",
    () => finding(),
    {
      id: "text",
      fingerprint: "text",
      dimension: "text",
      subject: "object",
      status: "new|recurring|regressed|resolved",
      occurrenceCount: "count",
      lastSeenWaveId: "text",
      firstSeenAt: "time",
      lastSeenAt: "time",
      updatedAt: "time",
      resolvedAt: "time|null",
      dismissedAt: "time|null",
    },
  ],
  [
    "what a finding is about",
    async () => (await finding()).subject,
    { kind: "text", id: "text", label: "text" },
  ],
];

/** Of a journey of its own: the overview shows what was missed in the latest run of each. */
const launched = async () =>
  post(`/journeys/${await bench.journey({ environmentIds: [environmentId] })}/runs`, { waveId: "spring" });
const finding = async () => (await read("/journey-findings")).items[0];
const overviewOf = async (runId: string) =>
  (await read("/journeys-overview")).runs.find((one: Answered) => one.runId === runId);

describe("of a journey that was played,", () => {
  it.each(parts)("%s has the fields that others read", async (_, answer, shape) => {
    expectShape(await answer(), shape);
  });

  it("a run says how far it is, and no error where there is none", () => {
    expect(run).not.toHaveProperty("error");
    expect(run.summary).toEqual({ total: 6, succeeded: 6, failed: 0, rateLimited: 0 });
    expect(run.targetSummaries).toMatchObject([run.summary]);
  });

  it("an environment's host is the client it names, and its target the environment", async () => {
    const { hostId, hostName } = await read(`/environments/${environmentId}/resolve`);
    expect(run.targets).toEqual([{ hostId, hostName, targetId: environmentId, modelId: "fettle/rules-1" }]);
    expect(run.attempts[0]).toMatchObject({
      hostId,
      targetId: environmentId,
      chatSessionId: run.attempts[0].id,
    });
    const { targets } = await overviewOf(run.id);
    expect(targets).toMatchObject([{ hostName, environmentName: expect.any(String) }]);
  });

  it("a session says what was said in it", async () => {
    const { items } = await read(`/journey-runs/${run.id}/sessions`);
    const { messages } = await read(`/journey-runs/${run.id}/sessions/${items[0].id}`);
    expect(items[0]).toMatchObject({
      messageCount: messages.length,
      preview: expect.stringMatching(/\w/),
      outcome: "succeeded",
      personaId: run.persona.personaId,
      personaLabel: run.persona.name,
    });
    // A long one is cut.
    expect(messages[0].text.startsWith(items[0].preview)).toBe(true);
  });
});

describe("cancelling a run", () => {
  it("answers the run, with one status wherever it is read", async () => {
    const held = Promise.withResolvers<undefined>();
    const called = Promise.withResolvers<void>();
    bench.stub.onCall = () => {
      called.resolve();
      return held.promise;
    };
    const modelled = await bench.environment({ modelId: bench.stub.model });
    const id = await bench.journey({ environmentIds: [modelled], sessionsPerTarget: 2 });
    const { body } = await post(`/journeys/${id}/runs`, {});
    await called.promise;
    const { body: canceled } = await post(`/journey-runs/${body.id}/cancel`);
    expectShape(canceled, {
      id: "text",
      status: statuses,
      canceled: "flag",
      alreadyCanceled: "flag",
      finalized: "count",
      sessionsTotal: "count",
      sessionsGraded: "count",
    });
    const stopped = await bench.settled(body.id);
    held.resolve(undefined);
    const listed = (await read(`/journeys/${id}/runs`)).items[0];
    const seen = [canceled, stopped, listed, await overviewOf(body.id)];
    expect(seen.map(({ status }) => status)).toEqual(["failed", "failed", "failed", "failed"]);
    expect(seen.map((one) => one.canceled)).toEqual([true, true, true, true]);
    expect(stopped.attempts[1]).toMatchObject({
      chatSessionId: null,
      status: "failed",
      errorCode: "runner_shutdown",
      errorMessage: "runner_shutdown",
    });
  });
});

describe("dismissing a finding", () => {
  it.each([
    ["dismiss", true],
    ["undismiss", false],
  ])("by %s says how it stands", async (verb, dismissed) => {
    const { id } = await finding();
    const { body } = await post(`/journey-findings/${id}/${verb}`);
    expectShape(body, { id: "text", projectId: "text", dismissed: "flag" });
    expect(body.dismissed).toBe(dismissed);
  });
});
