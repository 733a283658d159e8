/** The optional pass of a model: it spends, adds what it saw, and never decides. And what stopping a run does while somebody works on it. */
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type EvalStub, startEvalStub } from "../../testing/eval-stub.ts";
import { type Gate, startGate } from "../../testing/gate.ts";
import { type TestService, testService } from "../../testing/service.ts";
import { makeWorld, type World } from "../../testing/world.ts";

let stub: EvalStub;
let service: TestService;
let world: World;
let gate: Gate;
let worker: { stop(): Promise<unknown> };
let serverId: string;
beforeAll(async () => {
  stub = await startEvalStub();
  gate = await startGate(stub.url);
  service = await testService({
    env: { ...stub.env, FETTLE_READINESS_MODEL: stub.model, FETTLE_LIMIT_KEY_BURST: "1000" },
  });
  world = await makeWorld(service.app.db);
  const server = { name: "Shop", enabled: true, transportType: "http", url: gate.url };
  serverId = (await call("POST", "/servers", server)).body.id;
  worker = await service.app.jobs.work(service.app);
});
afterAll(async () => {
  gate.release();
  await worker.stop();
  await service.close();
  await gate.close();
  await stub.close();
});

const call = (method: string, path: string, body?: object) =>
  service.call(`/api/v1/projects/${world.projectId}${path}`, {
    method,
    key: world.people.member.key,
    ...(body && { body }),
  });
const start = async (includeLlmObservations: boolean) =>
  (await call("POST", `/servers/${serverId}/readiness-runs/claude`, { includeLlmObservations })).body.runId;
const read = async (runId: string) => (await call("GET", `/readiness-runs/${runId}`)).body;
const reach = (runId: string, status: RegExp) =>
  vi.waitFor(async () => {
    const run = await read(runId);
    expect(run.status).toMatch(status);
    return run;
  }, 60_000);
const ended = (runId: string) => reach(runId, /completed|failed|cancelled/);
const reportOf = async (runId: string) =>
  (await call("GET", `/readiness-runs/${runId}/report?limit=500`)).body;

const observation = {
  topic: "tool-descriptions-uninformative",
  summary: "What stock counts is not said.",
  evidence: ["stock"],
  confidence: "low",
};
const said = (...observations: object[]) => JSON.stringify({ observations });

it("what a model saw stands beside the grade, spends, and changes nothing else", async () => {
  const alone = await ended(await start(false));
  let shown = "";
  stub.onModel = (_, body) => {
    shown = body;
    return said(observation);
  };
  const run = await ended(await start(true));
  expect(run).toMatchObject({
    status: "completed",
    llmObservations: { status: "completed" },
    overallStatus: alone.overallStatus,
    lanes: alone.lanes,
    stages: alone.stages,
  });
  expect(shown).toContain("How many copies of a book are there?");
  const [without, withModel] = [await reportOf(alone.id), await reportOf(run.id)];
  const own = withModel.findings.filter(({ provenance }: { provenance: string }) => provenance === "llm");
  expect(own).toMatchObject([
    {
      id: "claude.experience.tool-descriptions-uninformative",
      lane: "experience-insights",
      class: "heuristic",
      status: "informational",
      message: observation.summary,
      details: { evidence: ["stock"], confidence: "low" },
    },
  ]);
  expect(withModel.totalFindings).toBe(without.totalFindings + 1);
  await service.app.models.settlements.flush();
  const { rows } = await service.app.db.execute(
    sql`select source_id from model_spend where source_kind = 'readiness'`,
  );
  expect(rows).toEqual([{ source_id: run.id }]);
});

it.each([
  ["words instead of JSON", "It looks fine.", "invalid-output", "schema_invalid"],
  ["a topic nobody asked for", said({ ...observation, topic: "score" }), "invalid-output", "schema_invalid"],
  ["too much", said(...Array(25).fill(observation)), "invalid-output", "schema_invalid"],
  [
    "a summary that is too long",
    said({ ...observation, summary: "a".repeat(401) }),
    "invalid-output",
    "schema_invalid",
  ],
  ["a refusal", 400, "provider-failed", "provider_error"],
] as const)("%s is said on its own axis, and the grade stands", async (_, answer, status, reason) => {
  stub.onModel = () => answer;
  const run = await ended(await start(true));
  expect(run).toMatchObject({
    status: "completed",
    overallStatus: "not-ready",
    llmObservations: { status, reason },
    hasReport: true,
  });
  expect(JSON.stringify(await reportOf(run.id))).not.toContain('"llm"');
});

it.each([
  ["the server is asked", "", false, { status: "not-requested" }],
  ["its tools are listed", "tools/list", false, { status: "not-requested" }],
  ["a model is asked", "", true, { status: "invalid-output", reason: "cancelled" }],
])(
  "a run that is canceled while %s ends as canceled, and its worker changes nothing",
  async (_, holdsOnly, asksModel, llmObservations) => {
    gate.mode = asksModel ? "pass" : "hold";
    gate.holdsOnly = holdsOnly;
    let isAsked = false;
    stub.onModel = () => {
      isAsked = true;
      return { fault: "silence" };
    };
    const before = gate.count;
    const runId = await start(asksModel);
    await vi.waitFor(() => expect(asksModel ? isAsked : gate.count > before).toBe(true), 60_000);
    expect((await read(runId)).status).toBe("running");
    const asked = await call("POST", `/readiness-runs/${runId}/cancel`);
    expect([asked.status, asked.body]).toEqual([
      200,
      { runId, projectId: world.projectId, status: "cancelled" },
    ]);
    expect(await ended(runId)).toMatchObject({
      status: "cancelled",
      terminalReason: "cancelled",
      overallStatus: null,
      hasReport: false,
      llmObservations,
    });
    const again = await call("POST", `/readiness-runs/${runId}/cancel`);
    expect([again.status, again.body.details.code]).toEqual([409, "RUN_ENDED"]);
    gate.release();
  },
);

it("a run that a stopping service lets go of is taken up again, and its report is whole", async () => {
  gate.mode = "hold";
  gate.holdsOnly = "tools/list";
  const before = gate.count;
  const runId = await start(false);
  await vi.waitFor(() => expect(gate.count > before).toBe(true), 60_000);
  await worker.stop();
  expect(await read(runId)).toMatchObject({ status: "running", hasReport: false });
  gate.release();
  worker = await service.app.jobs.work(service.app);
  expect(await ended(runId)).toMatchObject({ status: "completed", attemptCount: 2 });
  expect(JSON.stringify(await reportOf(runId))).not.toContain("The tools were not listed");
});
