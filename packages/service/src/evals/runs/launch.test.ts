import type { ClientId, EnvironmentId, EvalSuiteId } from "@fettle/contract/core";
import { startBookshop } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../core/id.ts";
import { evalSuiteEnvironments, evalSuiteHosts } from "../../core/tables/eval-suites.ts";
import { createEnvironment } from "../../environments/saved/environments.ts";
import { createClient } from "../../servers/clients/clients.ts";
import { type EvalBench, evalBench } from "../../testing/eval-bench.ts";
import { askCase, type CaseWanted } from "../../testing/eval-suite.ts";
import { usualSettings } from "../suites/suite-view.ts";

let now = Date.now();
let bench: EvalBench;
let shop: Awaited<ReturnType<typeof startBookshop>>;
let environmentId: EnvironmentId;
let another: EnvironmentId;
let hostId: ClientId;
beforeAll(async () => {
  shop = await startBookshop();
  bench = await evalBench(shop.url, { now: () => now });
  environmentId = await makeEnvironment();
  another = await makeEnvironment();
  hostId = await makeHost();
});
afterAll(async () => {
  await bench.service.close();
  await shop.close();
});

const owner = () => bench.world.people.owner.userId;
async function makeHost(
  config: object = {},
  { service, server, world } = bench,
  name = newId("client") as string,
): Promise<ClientId> {
  const { app } = service;
  const wanted = {
    name,
    config: { modelId: "fettle/rules-1", serverIds: [server.id], ...config },
  };
  const { id } = await createClient(app, app.db, world.projectId, world.people.owner.userId, wanted);
  return id;
}
async function makeEnvironment(config: object = {}, over: object = {}): Promise<EnvironmentId> {
  const { app } = bench.service;
  const wanted = { name: newId("environment"), hostId: await makeHost(config), ...over };
  const { id } = await createEnvironment(app, app.db, bench.world.projectId, owner(), wanted);
  return id;
}

interface Attached {
  environments?: EnvironmentId[];
  hosts?: ClientId[];
}
async function attach(
  suiteId: EvalSuiteId,
  { environments = [], hosts = [] }: Attached,
  { service } = bench,
) {
  const { db } = service.app;
  for (const [position, id] of environments.entries())
    await db.insert(evalSuiteEnvironments).values({ suiteId, environmentId: id, position });
  for (const [position, clientId] of hosts.entries())
    await db.insert(evalSuiteHosts).values({ suiteId, clientId, position });
}

const one = askCase("one", "Search for books about planets", "search_books");
const launch = (body: object, headers?: Record<string, string>) =>
  bench.call("POST", "/eval-runs", body, headers ? { headers } : {});
const suitesCalled = async (name: string) =>
  (await bench.call("GET", "/eval-suites")).body.items.filter(
    (suite: { name: string }) => suite.name === name,
  );
const runs = async (suiteId: string) => (await bench.call("GET", `/eval-suites/${suiteId}/runs`)).body.items;

interface Refusal {
  what: string;
  cases?: CaseWanted[];
  suite?: object;
  attached?: () => Attached;
  body?: () => object;
  status: number;
  code?: string;
}

const refusals: Refusal[] = [
  {
    what: "several targets and none named",
    attached: () => ({ environments: [environmentId, another] }),
    status: 400,
    code: "TARGET_REQUIRED",
  },
  {
    what: "an environment and a client attached, and none named",
    attached: () => ({ environments: [environmentId], hosts: [hostId] }),
    status: 400,
    code: "TARGET_REQUIRED",
  },
  {
    what: "an environment that is not attached",
    body: () => ({ environmentId }),
    status: 400,
    code: "ENVIRONMENT_NOT_ATTACHED",
  },
  {
    what: "a client that is not attached",
    body: () => ({ namedHostId: hostId }),
    status: 400,
    code: "HOST_NOT_ATTACHED",
  },
  {
    what: "servers for a suite with environments",
    attached: () => ({ environments: [environmentId] }),
    body: () => ({ serverIds: [bench.server.id] }),
    status: 400,
    code: "ENVIRONMENT_SERVERS_NOT_OVERRIDABLE",
  },
  {
    what: "an environment together with servers",
    body: () => ({ environmentId, serverIds: [bench.server.id] }),
    status: 400,
  },
  {
    what: "nothing attached and no servers saved",
    suite: { serverIds: [] },
    status: 400,
    code: "NO_SAVED_SERVER_SELECTION",
  },
  {
    what: "a server that is not there",
    body: () => ({ serverIds: ["nobody"] }),
    status: 400,
    code: "UNKNOWN_SERVERS",
  },
  {
    what: "a saved server that was deleted",
    suite: { serverIds: ["srv_gone"] },
    status: 400,
    code: "UNKNOWN_SERVERS",
  },
  {
    what: "a model that nobody has",
    suite: { model: "openai/gpt-none" },
    status: 400,
    code: "MODEL_UNAVAILABLE",
  },
  { what: "no model at all", suite: { model: null }, status: 400, code: "UNKNOWN_MODEL" },
  {
    what: "a case that is not there",
    body: () => ({ caseIds: ["none"] }),
    status: 404,
    code: "CASE_NOT_FOUND",
  },
  {
    what: "disabled cases alone",
    cases: [{ ...one, disabled: true }],
    status: 400,
    code: "NO_ENABLED_CASES",
  },
  {
    what: "eleven repetitions",
    body: () => ({ iterationOverride: 11 }),
    status: 400,
    code: "REPETITIONS_CAP",
  },
  {
    what: "an approximation that nobody approves",
    cases: [{ ...one, import: { status: "approximated" } }],
    status: 400,
    code: "APPROXIMATION_NOT_APPROVED",
  },
  {
    what: "an approval of what needs none",
    body: () => ({ approvals: { caseIds: ["one"], reason: "Looks right" } }),
    status: 400,
    code: "APPROVAL_NOT_APPLICABLE",
  },
  {
    what: "a case that could not be imported",
    cases: [{ ...one, import: { status: "unsupported" } }],
    status: 400,
    code: "IMPORT_UNSUPPORTED",
  },
  {
    what: "a step that needs a browser",
    cases: [
      {
        id: "widget",
        steps: [{ id: "w", kind: "assert", assertion: { kind: "textVisible", toolName: "show", text: "x" } }],
      },
    ],
    status: 400,
    code: "WIDGET_RUNTIME_UNAVAILABLE",
  },
  {
    what: "tests beside a suite",
    body: () => ({ tests: [{ title: "One", model: "fettle/rules-1", steps: one.steps }] }),
    status: 400,
  },
  { what: "neither a suite nor tests", body: () => ({ suiteId: undefined }), status: 400 },
  { what: "a suite that is not there", body: () => ({ suiteId: "ste_none" }), status: 404 },
];

describe("a launch is refused, and leaves nothing behind,", () => {
  it.each(refusals)("for $what", async ({ cases = [one], suite, attached, body, status, code }) => {
    const suiteId = await bench.suite(cases, suite);
    await attach(suiteId, attached?.() ?? {});
    const answer = await launch({ suiteId, ...body?.() });
    expect(answer).toMatchObject({ status, ...(code && { body: { details: { code } } }) });
    expect(await runs(suiteId)).toEqual([]);
  });

  it("for a client that asks a person before each call", async () => {
    const suiteId = await bench.suite([one]);
    await attach(suiteId, { hosts: [await makeHost({ requireToolApproval: true })] });
    expect(await launch({ suiteId })).toMatchObject({
      status: 400,
      body: { details: { code: "EVAL_EXECUTION_UNAVAILABLE" } },
    });
  });

  it("for an environment that cannot run, with its own reason", async () => {
    const suiteId = await bench.suite([one]);
    await attach(suiteId, { environments: [await makeEnvironment({ serverIds: [] })] });
    expect(await launch({ suiteId })).toMatchObject({
      status: 409,
      body: { details: { code: "ENV_NO_SERVERS" } },
    });
  });

  it("naming the choices where several are attached", async () => {
    const suiteId = await bench.suite([one]);
    await attach(suiteId, { environments: [environmentId], hosts: [hostId] });
    const { details } = (await launch({ suiteId })).body;
    expect(details).toMatchObject({ environmentIds: [environmentId], hosts: [{ id: hostId }] });
    expect(details.targets).toHaveLength(2);
  });
});

describe("a launch", () => {
  it("runs the only environment attached, with its servers and its model, and records its revision", async () => {
    const suiteId = await bench.suite([one], { serverIds: [], model: "openai/none" });
    await attach(suiteId, { environments: [environmentId] });
    const { status, body } = await launch({ suiteId });
    expect(status).toBe(202);
    expect(body).toMatchObject({
      environment: { id: environmentId, revision: 1 },
      servers: [{ id: bench.server.id }],
    });
    expect((await bench.call("GET", `/eval-runs/${body.runId}`)).body).toMatchObject({
      target: { kind: "environment", id: environmentId },
      effectiveModelId: "fettle/rules-1",
      modelSource: "host",
    });
  });

  it("says in its receipt and its estimate whose model answers, and takes the suite's where the suite insists", async () => {
    const insisting = {
      model: "fettle/rules-1",
      settings: { ...usualSettings, modelSource: "suite" as const },
    };
    for (const [name, modelId, suite, model] of [
      ["Chat", "fettle/rules-1", { model: "openai/none" }, { source: "host", from: "client Chat" }],
      ["Desk", "openai/none", insisting, { source: "suite", from: "the suite" }],
    ] as const) {
      const suiteId = await bench.suite([one], suite);
      await attach(suiteId, { hosts: [await makeHost({ modelId }, bench, name)] });
      const { body: told } = await bench.service.call(
        `/app/projects/${bench.world.projectId}/eval-suites/${suiteId}/estimate`,
        {
          method: "POST",
          headers: { cookie: bench.world.people.member.cookie, "x-fettle-app": "1" },
          body: {},
        },
      );
      expect([told.modelFrom, told.models]).toMatchObject([model.from, [{ id: "fettle/rules-1" }]]);
      const { status, body } = await launch({ suiteId });
      expect([status, body.model]).toEqual([202, { id: "fettle/rules-1", ...model }]);
      expect((await bench.call("GET", `/eval-runs/${body.runId}`)).body).toMatchObject({
        effectiveModelId: "fettle/rules-1",
        modelSource: model.source,
      });
    }
    const suiteId = await bench.suite([one], insisting);
    await attach(suiteId, { environments: [await makeEnvironment({}, { modelId: "openai/none" })] });
    expect((await launch({ suiteId })).body.model).toMatchObject({ id: "fettle/rules-1", source: "suite" });
  });

  it("lets the model that it names answer, whatever suite, environment and cases say, and tells so", async () => {
    const own = { ...one, models: [{ model: "openai/none" }] };
    const suiteId = await bench.suite([own], { serverIds: [], model: "openai/none" });
    await attach(suiteId, { environments: [environmentId] });
    const modelOverride = "fettle/rules-1";
    const { status, body } = await launch({ suiteId, modelOverride });
    expect([status, body.code]).toEqual([202, undefined]);
    expect((await bench.call("GET", `/eval-runs/${body.runId}`)).body).toMatchObject({
      effectiveModelId: modelOverride,
      modelSource: "launch",
    });
    const { items } = (await bench.call("GET", `/eval-runs/${body.runId}/iterations`)).body;
    expect(items).toMatchObject([{ model: modelOverride }]);
    const refused = await launch({ suiteId, modelOverride: "nobody/serves-this" });
    expect(refused.status).toBeGreaterThanOrEqual(400);
  });

  it("takes what it was asked for from the launch, and keeps it whatever becomes of the suite", async () => {
    const suiteId = await bench.suite([one, { ...one, id: "two" }]);
    const ci = { commitSha: "abc", branch: "main" };
    const asked = { suiteId, caseIds: ["two"], passCriteria: { minimumPassRate: 50 }, notes: "Try", ci };
    const { runId } = (await launch(asked)).body;
    await bench.service.app.pool.query("update eval_suites set name = 'Other' where id = $1", [suiteId]);
    await bench.service.app.pool.query("delete from eval_cases where suite_id = $1", [suiteId]);
    expect((await bench.call("GET", `/eval-runs/${runId}`)).body).toMatchObject({
      suiteName: "Bookshop",
      progress: { total: 1 },
      passCriteria: { minimumPassRate: 50 },
      notes: "Try",
      ci,
    });
    const { items } = (await bench.call("GET", `/eval-runs/${runId}/iterations`)).body;
    expect(items).toMatchObject([{ caseKey: "two", status: "pending" }]);
    const steps = await bench.call("GET", `/eval-runs/${runId}/iterations/${items[0].id}/steps`);
    expect(steps.body.items).toMatchObject([{ status: "pending" }, { status: "pending" }]);
  });

  it("records who approved an approximated case, and when", async () => {
    const suiteId = await bench.suite([{ ...one, import: { status: "approximated" } }]);
    const approvals = { caseIds: ["one"], reason: "Same tool, other words" };
    const { runId } = (await launch({ suiteId, approvals })).body;
    expect((await bench.call("GET", `/eval-runs/${runId}`)).body).toMatchObject({
      approvals: {
        cases: [{ caseKey: "one" }],
        approvedBy: bench.world.people.member.userId,
        approvedAt: now,
      },
      importEligibility: { status: "eligible", approvedApproximationCaseIds: ["one"] },
    });
  });

  it("with the same key is the same run, the header before the body; another launch under it is refused", async () => {
    const suiteId = await bench.suite([one]);
    const first = (await launch({ suiteId, idempotencyKey: "k" })).body;
    const header = { "idempotency-key": "k" };
    expect((await launch({ suiteId, idempotencyKey: "other", notes: "again" }, header)).body).toMatchObject({
      runId: first.runId,
      deduped: true,
    });
    expect(await launch({ suiteId, iterationOverride: 2, idempotencyKey: "k" })).toMatchObject({
      status: 409,
      body: { details: { code: "IDEMPOTENCY_KEY_REUSED" } },
    });
    expect(await runs(suiteId)).toHaveLength(1);
  });

  it("without a key is the same for a few moments, and then another; several at once are one", async () => {
    const suiteId = await bench.suite([one]);
    const answers = await Promise.all(Array.from({ length: 5 }, () => launch({ suiteId })));
    expect(new Set(answers.map(({ body }) => body.runId)).size).toBe(1);
    expect(answers.filter(({ body }) => body.deduped !== true)).toHaveLength(1);
    now += 31_000;
    const later = (await launch({ suiteId })).body;
    expect(later.runId).not.toBe(answers[0]!.body.runId);
    expect((await runs(suiteId)).map(({ runNumber }: { runNumber: number }) => runNumber)).toEqual([2, 1]);
  });

  it("without a key is a new run once anything it depends on was edited, or the first has ended", async () => {
    const suiteId = await bench.suite([one]);
    const launched = async () => (await launch({ suiteId })).body;
    const suite = `/eval-suites/${suiteId}`;
    const { items: cases } = (await bench.call("GET", `${suite}/cases`)).body;
    const edits = {
      "the case": () => bench.call("PATCH", `${suite}/cases/${cases[0].id}`, { expectedOutput: "Planets" }),
      "the suite": () => bench.call("PATCH", suite, { executionConfig: { systemPrompt: "Be brief." } }),
      "the server": () => bench.call("PATCH", `/servers/${bench.server.id}`, { timeout: 20_000 }),
      "the run's end": async () =>
        bench.call("POST", `/eval-runs/${(await runs(suiteId))[0].id}/cancel`, undefined),
    };
    let { runId } = await launched();
    for (const [what, edit] of Object.entries(edits)) {
      expect(await launched(), what).toMatchObject({ runId, deduped: true });
      now += 1;
      expect(await edit(), what).toMatchObject({ status: 200 });
      const next = await launched();
      expect(next, what).not.toHaveProperty("deduped");
      expect(next.runId, what).not.toBe(runId);
      runId = next.runId;
    }
  });

  it("that brings its cases along is a new run once the first has ended", async () => {
    const test = { title: "One", model: "fettle/rules-1", steps: one.steps };
    const asked = { suiteName: "Canceled", tests: [test], serverIds: [bench.server.name] };
    const ids: string[] = [];
    for (const _ of [1, 2, 3]) {
      const { body } = await launch(asked);
      expect(body).not.toHaveProperty("deduped");
      expect((await launch(asked)).body).toMatchObject({ runId: body.runId, deduped: true });
      await bench.call("POST", `/eval-runs/${body.runId}/cancel`);
      ids.push(body.runId);
    }
    expect(new Set(ids).size).toBe(3);
  });

  it("may bring its cases along, and is then the run of a new suite", async () => {
    const test = { title: "One", model: "fettle/rules-1", steps: one.steps };
    const asked = {
      suiteName: "Inline",
      tests: [test],
      serverIds: [bench.server.name],
      idempotencyKey: "inline",
    };
    const { status, body } = await launch(asked);
    expect(status).toBe(202);
    expect(body).toMatchObject({ caseUpsert: { committed: [{ name: "One" }], failed: [] } });
    expect((await launch(asked)).body).toMatchObject({ runId: body.runId, deduped: true });
    expect(await launch({ ...asked, serverIds: ["nobody"], idempotencyKey: "x" })).toMatchObject({
      status: 400,
    });
    expect(await launch({ ...asked, suiteName: "Other" })).toMatchObject({
      status: 409,
      body: { details: { code: "IDEMPOTENCY_KEY_REUSED" } },
    });
    expect(await suitesCalled("Inline")).toHaveLength(1);
  });

  it("that brings its cases along without a key is the same for a few moments, also when several come at once", async () => {
    const test = { title: "One", model: "fettle/rules-1", steps: one.steps };
    const asked = { suiteName: "Clicked twice", tests: [test], serverIds: [bench.server.name] };
    const answers = await Promise.all(Array.from({ length: 4 }, () => launch(asked)));
    expect(new Set(answers.map(({ body }) => body.runId)).size).toBe(1);
    expect((await launch(asked)).body).toMatchObject({ runId: answers[0]!.body.runId, deduped: true });
    expect(await suitesCalled("Clicked twice")).toHaveLength(1);
    now += 61_000;
    expect((await launch(asked)).body.runId).not.toBe(answers[0]!.body.runId);
  });

  it("makes its servers the suite's saved ones when it is asked to", async () => {
    const gone = newId("server");
    const suiteId = await bench.suite([one], { serverIds: [gone] });
    const servers = async () => (await bench.call("GET", `/eval-suites/${suiteId}`)).body.environment.servers;
    await launch({ suiteId, serverIds: [bench.server.id] });
    expect(await servers()).toEqual([gone]);
    const asked = { suiteId, serverIds: [bench.server.id], refreshSnapshot: true };
    expect((await launch(asked)).status).toBe(202);
    expect(await servers()).toEqual([bench.server.id]);
    expect((await launch({ suiteId, notes: "again" })).status).toBe(202);
  });
});

describe("a group", () => {
  const group = (body: object) => bench.call("POST", "/eval-run-groups", body);

  it("starts one run for each target, and is told as one", async () => {
    const suiteId = await bench.suite([one]);
    await attach(suiteId, { environments: [environmentId, another] });
    const targets = [{ environmentId }, { environmentId: another }];
    const { status, body } = await group({ suiteId, targets, idempotencyKey: "g" });
    expect(status).toBe(202);
    expect(body).toMatchObject({ outcome: "started", startedCount: 2, failedCount: 0 });
    expect(body.targets).toMatchObject([
      { target: { environmentId }, status: "started", runStatus: "pending" },
      { target: { environmentId: another }, status: "started" },
    ]);
    const again = (await group({ suiteId, targets, idempotencyKey: "g" })).body;
    expect(again.runGroupId).toBe(body.runGroupId);
    expect(again.targets).toMatchObject([{ deduped: true, runId: body.targets[0].runId }, { deduped: true }]);
    const { body: told } = await bench.call("GET", `/eval-run-groups/${body.runGroupId}`);
    expect(told.runs.map(({ id }: { id: string }) => id).sort()).toEqual(
      body.targets.map(({ runId }: { runId: string }) => runId).sort(),
    );
    expect((await bench.call("GET", `/eval-runs?runGroupId=${body.runGroupId}`)).body.items).toHaveLength(2);
  });

  it("without a key is the same while one of its runs is under way and nothing was edited", async () => {
    const suiteId = await bench.suite([one]);
    const broken = await makeEnvironment({ serverIds: [] });
    await attach(suiteId, { environments: [environmentId, another, broken] });
    const targets = [{ environmentId }, { environmentId: another }, { environmentId: broken }];
    const started = async () => (await group({ suiteId, targets })).body;
    const first = await started();
    const [run, other] = first.targets.map(({ runId }: { runId: string }) => runId);
    await bench.call("POST", `/eval-runs/${run}/cancel`);
    expect((await started()).runGroupId).toBe(first.runGroupId);
    await bench.call("PATCH", `/eval-suites/${suiteId}`, { settings: { minimumAccuracy: 50 } });
    now += 1;
    const edited = await started();
    expect(edited.runGroupId).not.toBe(first.runGroupId);
    expect((await started()).runGroupId).toBe(edited.runGroupId);
    const later = edited.targets.flatMap(({ runId }: { runId?: string }) => runId ?? []);
    for (const runId of [other, ...later]) await bench.call("POST", `/eval-runs/${runId}/cancel`);
    expect((await started()).runGroupId).not.toBe(edited.runGroupId);
  });

  it("starts the others where one cannot run", async () => {
    const broken = await makeEnvironment({ serverIds: [] });
    const suiteId = await bench.suite([one]);
    await attach(suiteId, { environments: [environmentId, broken] });
    const { body } = await group({ suiteId, targets: [{ environmentId }, { environmentId: broken }] });
    expect(body).toMatchObject({ outcome: "partial", startedCount: 1, failedCount: 1 });
    expect(body.targets[1]).toMatchObject({ status: "failed", error: { code: "ENV_NO_SERVERS" } });
  });

  it.each([
    [
      "of environments and clients",
      () => [{ environmentId }, { namedHostId: hostId }],
      "HETEROGENEOUS_TARGETS",
    ],
    [
      "with a target that is not attached",
      () => [{ environmentId }, { environmentId: another }],
      "ENVIRONMENT_NOT_ATTACHED",
    ],
  ] as const)("%s is refused whole", async (_, targets, code) => {
    const suiteId = await bench.suite([one]);
    await attach(suiteId, { environments: [environmentId], hosts: [hostId] });
    expect(await group({ suiteId, targets: targets() })).toMatchObject({
      status: 400,
      body: { details: { code } },
    });
    expect(await runs(suiteId)).toEqual([]);
  });
});

it("an organization has two runs or groups under way at most; a group takes one slot until its last run has ended", async () => {
  await using stack = new AsyncDisposableStack();
  const small = await evalBench(shop.url, { env: { FETTLE_LIMIT_EVAL_RUNS: "2" } });
  stack.defer(() => small.service.close());
  const suiteId = await small.suite([one]);
  const post = (body: object) => small.call("POST", "/eval-runs", { suiteId, ...body });
  const first = (await post({ notes: "1", idempotencyKey: "1" })).body;
  const hosts = await Promise.all([1, 2, 3].map(() => makeHost({}, small)));
  await attach(suiteId, { hosts }, small);
  const group = await small.call("POST", "/eval-run-groups", {
    suiteId,
    targets: hosts.map((namedHostId) => ({ namedHostId })),
  });
  expect(group.body).toMatchObject({ startedCount: 3, failedCount: 0 });
  const third = { idempotencyKey: "3", namedHostId: hosts[0] };
  const refused = await post(third);
  expect(refused).toMatchObject({
    status: 429,
    body: { code: "RATE_LIMITED", details: { code: "CONCURRENT_RUN_LIMIT", maxConcurrentRuns: 2 } },
  });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await post({ idempotencyKey: "1" })).body).toMatchObject({ runId: first.runId, deduped: true });
  const cancel = (runId: string) => small.call("POST", `/eval-runs/${runId}/cancel`);
  const [last, ...others] = group.body.targets.map(({ runId }: { runId: string }) => runId);
  for (const runId of others) await cancel(runId);
  expect((await post(third)).status).toBe(429);
  await cancel(last);
  expect((await post(third)).status).toBe(202);
});
