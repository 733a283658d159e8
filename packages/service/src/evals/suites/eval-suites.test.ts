import type { EnvironmentId, ProjectId, UserId } from "@fettle/contract/core";
import { limits } from "@fettle/contract/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../core/id.ts";
import { evalRuns } from "../../core/tables/eval-runs.ts";
import { type TestDatabase, testDatabase } from "../../testing/database.ts";
import { makeKey, makeMember, makeOrganization, makeProject } from "../../testing/people.ts";
import { type TestService, testService } from "../../testing/service.ts";

let database: TestDatabase;
let service: TestService;
let admin: string;
let member: string;
let another: string;
let memberId: UserId;
let projectId: ProjectId;
let elsewhere: ProjectId;
let serverId: string;
let hostId: string;
beforeAll(async () => {
  database = await testDatabase();
  service = await testService({ database, env: { FETTLE_LIMIT_KEY_BURST: "10000" } });
  const { db } = service.app;
  const organization = await makeOrganization(db, "Acme");
  admin = await makeKey(db, organization, await makeMember(db, organization, "admin"));
  memberId = await makeMember(db, organization, "member");
  member = await makeKey(db, organization, memberId);
  another = await makeKey(db, organization, await makeMember(db, organization, "member"));
  projectId = await makeProject(db, organization);
  elsewhere = await makeProject(db, organization);
  const server = { name: "Orders", transportType: "http", url: "https://mcp.example/mcp" };
  serverId = (await call("POST", "/servers", server)).body.id;
  const client = { name: "Host", config: { modelId: "m", serverIds: [serverId] } };
  hostId = (await call("POST", "/clients", client, { key: admin })).body.id;
});
afterAll(async () => {
  await service.close();
  await database.close();
});

interface Sent {
  key?: string;
  headers?: Record<string, string>;
  project?: ProjectId;
}
const call = (method: string, path: string, body?: object, sent: Sent = {}) =>
  service.call(`/api/v1/projects/${sent.project ?? projectId}${path}`, {
    method,
    key: sent.key ?? member,
    ...(sent.headers && { headers: sent.headers }),
    ...(body && { body }),
  });

const prompt = (text: string, id = "ask") => ({ id, kind: "prompt", prompt: text });
const asked = (text: string, more: object = {}) => ({ title: text, steps: [prompt(text)], ...more });
const casesOf = async (suiteId: string) => (await call("GET", `/eval-suites/${suiteId}/cases`)).body.items;
const codeOf = ({ status, body }: { status: number; body: { details?: { code?: string } } }) => [
  status,
  body.details?.code,
];

let made = 0;
async function makeSuite(tests: object[] = [asked("One")], more: object = {}): Promise<string> {
  made += 1;
  const request = { name: `Suite ${made}`, serverIds: [serverId], model: "fettle/rules-1", tests, ...more };
  const { status, body } = await call("POST", "/eval-suites", request);
  expect([status, body.code, body.message]).toEqual([201, undefined, undefined]);
  return body.suiteId;
}
async function makeEnvironment(): Promise<EnvironmentId> {
  made += 1;
  const { body } = await call("POST", "/environments", { name: `Env ${made}`, hostId }, { key: admin });
  return body.id;
}
const read = async (suiteId: string) => (await call("GET", `/eval-suites/${suiteId}`)).body;
const change = (suiteId: string, body: object) => call("PATCH", `/eval-suites/${suiteId}`, body);
const schedule = (suiteId: string, body: object) => call("PATCH", `/eval-suites/${suiteId}/schedule`, body);
const attach = (suiteId: string, environmentId: string) =>
  call("POST", `/eval-suites/${suiteId}/environments`, { environmentId });
const batch = (suiteId: string, cases: unknown[], more: object = {}, sent: Sent = {}) =>
  call("POST", `/eval-suites/${suiteId}/cases/batch`, { cases, ...more }, sent);

describe("a suite", () => {
  it("is created with its cases, in their order, and runs nothing", async () => {
    const { status, body } = await call("POST", "/eval-suites", {
      name: "Checkout",
      description: "Buying",
      serverIds: ["orders"],
      model: "fettle/rules-1",
      passCriteria: { minimumPassRate: 80 },
      tags: ["nightly"],
      tests: [
        asked("Buys", { runs: 3, isNegativeTest: false, expectedOutput: "Bought" }),
        asked("Asks", { model: "anthropic/claude-haiku-4.5", id: "asks" }),
      ],
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: "Checkout", servers: [{ id: serverId, name: "Orders" }] });
    expect(body.caseUpsert).toMatchObject({ committed: [{ name: "Buys" }, { name: "Asks" }], failed: [] });
    expect(await read(body.suiteId)).toMatchObject({
      origin: "api",
      description: "Buying",
      tags: ["nightly"],
      environment: { servers: [serverId], serverNames: ["Orders"], computerEnvironment: null },
      environmentIds: [],
      hosts: [],
      executionConfig: { model: "fettle/rules-1" },
      settings: { minimumAccuracy: 80, minimumIterations: null, checks: [], judge: { enabled: false } },
      schedule: { enabled: false, intervalMinutes: null, environmentId: null, nextRunAt: null },
      caseCount: 2,
    });
    const { items } = (await call("GET", `/eval-suites/${body.suiteId}/cases`)).body;
    expect(items).toMatchObject([
      { title: "Buys", iterations: 3, models: [], expectedOutput: "Bought", disabled: false },
      { declaredId: "asks", models: [{ model: "anthropic/claude-haiku-4.5" }] },
    ]);
    expect(items[0].declaredId).toMatch(/^c_[\w-]{21}$/);
  });

  it("keeps the good cases beside the bad ones, and is not made of bad ones alone", async () => {
    const tests = [asked("Good"), { title: "No steps" }, asked("Many", { runs: 11 }), "nothing"];
    const request = { name: "Mixed", serverIds: [serverId], model: "m", tests };
    const { status, body } = await call("POST", "/eval-suites", request);
    expect(status).toBe(201);
    expect(body.caseUpsert).toMatchObject({
      committed: [{ name: "Good" }],
      failed: [
        { index: 1, name: "No steps", code: "INVALID_CASE" },
        { index: 2, name: "Many", code: "REPETITIONS_CAP" },
        { index: 3, code: "INVALID_CASE" },
      ],
    });
    const before = (await call("GET", "/eval-suites")).body.items.length;
    const refused = await call("POST", "/eval-suites", { ...request, tests: [{ title: "No steps" }] });
    expect(codeOf(refused)).toEqual([400, "INVALID_CASE"]);
    expect((await call("GET", "/eval-suites")).body.items).toHaveLength(before);
  });

  it("is created with all that its cases say, in either word for it", async () => {
    const list = [{ type: "noToolErrors" }];
    const tests = [
      asked("New", {
        checks: { mode: "replace", list },
        iterations: 4,
        isNegative: true,
        disabled: true,
        continueOnFail: true,
        matchOptions: { arguments: "exact" },
      }),
      asked("Listed", { checks: list, repetitions: 2, isNegativeTest: true, provider: "other" }),
      asked("Old", { predicates: list, runs: 3 }),
      asked("File's", { assertions: list, models: [{ model: "b" }] }),
    ];
    const request = { name: "Whole", serverIds: [serverId], model: "m", tests };
    const { body } = await call("POST", "/eval-suites", request);
    expect(body.caseUpsert.failed).toEqual([]);
    const extended = { mode: "extend", list };
    expect(await casesOf(body.suiteId)).toMatchObject([
      { ...tests[0], steps: [{ id: "ask" }] },
      { checks: extended, iterations: 2, isNegative: true, models: [{ model: "m", provider: "other" }] },
      { checks: extended, iterations: 3 },
      { checks: extended, models: [{ model: "b" }] },
    ]);
  });

  it("tells of a case with a field that it does not know, or with two words for one thing", async () => {
    const tests = [
      asked("Good"),
      asked("Unknown", { expectedToolCalls: [] }),
      asked("Twice", { runs: 2, iterations: 3 }),
      asked("No check", { checks: [{ type: "noToolErrors", maybe: true }] }),
      { title: "Step", steps: [{ ...prompt("x"), tool: "y" }] },
    ];
    const request = { name: "Told", serverIds: [serverId], model: "m", tests };
    const { caseUpsert } = (await call("POST", "/eval-suites", request)).body;
    expect(caseUpsert).toMatchObject({
      committed: [{ name: "Good" }],
      failed: [
        { index: 1, error: "unknown: expectedToolCalls" },
        { index: 2, error: expect.stringContaining("iterations and runs are names for one thing") },
        { index: 3, error: expect.stringContaining("unknown: maybe") },
        { index: 4, error: expect.stringContaining("unknown: tool") },
      ],
    });
  });

  it("is made once under one key", async () => {
    const request = { name: "Once", serverIds: [serverId], model: "m", tests: [asked("One")] };
    const sent = { headers: { "idempotency-key": "once-suite" } };
    const [first, second] = [
      await call("POST", "/eval-suites", request, sent),
      await call("POST", "/eval-suites", request, sent),
    ];
    expect(second.body).toEqual(first.body);
  });

  it.each([
    ["an unknown server", { serverIds: ["srv_none"] }, 400, "UNKNOWN_SERVERS"],
    ["a server named twice", { serverIds: ["Orders", "orders"] }, 400, "NAMED_TWICE"],
    ["no test", { tests: [] }, 400, undefined],
    ["an unknown field", { environment: {} }, 400, undefined],
    ["a rate above a hundred", { passCriteria: { minimumPassRate: 101 } }, 400, undefined],
    ["a name with a zero character", { name: "a\0b" }, 400, undefined],
  ])("is refused with %s", async (_, wrong, status, code) => {
    const request = { name: "Bad", serverIds: [serverId], model: "m", tests: [asked("One")], ...wrong };
    expect(codeOf(await call("POST", "/eval-suites", request))).toEqual([status, code]);
  });

  it("is refused with a name that two servers have once letters count alike, and takes one as it is written", async () => {
    const target = { transportType: "http", url: "http://127.0.0.1:9/mcp" };
    const names = ["ΟΔΟΣ", "οδος"];
    const ids: string[] = [];
    for (const name of names) ids.push((await call("POST", "/servers", { name, ...target })).body.id);
    const withServer = (named: string) =>
      call("POST", "/eval-suites", {
        name: "Streets",
        serverIds: [named],
        model: "m",
        tests: [asked("One")],
      });
    const refused = await withServer("Οδος");
    expect(codeOf(refused)).toEqual([400, "AMBIGUOUS_SERVER"]);
    expect(refused.body.details.candidateIds.sort()).toEqual(ids.sort());
    expect((await withServer(names[1]!)).body.servers).toMatchObject([{ name: names[1] }]);
  });

  it("is not found from another project, and its cases are not either", async () => {
    const suiteId = await makeSuite();
    const { items } = (await call("GET", `/eval-suites/${suiteId}/cases`)).body;
    const other = await makeSuite();
    const paths = [`/eval-suites/${suiteId}`, `/eval-suites/${suiteId}/cases`];
    for (const path of paths)
      expect((await call("GET", path, undefined, { project: elsewhere })).status).toBe(404);
    expect((await call("GET", `/eval-suites/${other}/cases/${items[0].id}`)).status).toBe(404);
  });

  it("changes only what is sent, and clears with null", async () => {
    const suiteId = await makeSuite();
    await change(suiteId, {
      description: "Said",
      executionConfig: { systemPrompt: "Be brief.", temperature: 0.5 },
      settings: {
        minimumAccuracy: 90,
        minimumIterations: 2,
        matchOptions: { toolCallOrder: "superset", maxExtraToolCalls: null, argumentMatching: "exact" },
        checks: [{ type: "noToolErrors" }],
        judge: { enabled: true, threshold: 0.9 },
      },
    });
    expect(await read(suiteId)).toMatchObject({
      executionConfig: { model: "fettle/rules-1", systemPrompt: "Be brief.", temperature: 0.5 },
      settings: {
        minimumAccuracy: 90,
        minimumIterations: 2,
        // Told in the words of the API, whichever were sent.
        matchOptions: { toolCallOrder: "in-order", extraToolCalls: "unlimited", arguments: "exact" },
        checks: [{ type: "noToolErrors" }],
        judge: { enabled: true, autoRun: false, threshold: 0.9 },
        failOnToolError: true,
      },
    });
    await change(suiteId, {
      description: "",
      executionConfig: { systemPrompt: null },
      settings: { minimumIterations: null, matchOptions: null, checks: null },
    });
    const suite = await read(suiteId);
    expect(suite).toMatchObject({
      description: null,
      executionConfig: { model: "fettle/rules-1", temperature: 0.5 },
      settings: { minimumAccuracy: 90, minimumIterations: null, matchOptions: null, checks: [] },
    });
    expect(suite.executionConfig.systemPrompt).toBeNull();
  });

  it.each([
    ["nothing", {}, undefined],
    ["an empty list of environments", { environmentIds: [] }, undefined],
    ["an unknown environment", { environmentIds: ["env_none"] }, "UNKNOWN_ENVIRONMENTS"],
    ["an unknown client", { hosts: [{ host: "Nobody" }] }, "UNKNOWN_HOSTS"],
    ["an unknown server of a client", { hosts: [{ host: "Host", servers: ["none"] }] }, "UNKNOWN_SERVERS"],
    ["a client twice", { hosts: [{ host: "Host" }, { host: "host" }] }, "NAMED_TWICE"],
    ["a check that is none", { settings: { checks: [{ type: "unheardOf" }] } }, undefined],
    [
      "both vocabularies",
      { settings: { matchOptions: { arguments: "exact", maxExtraToolCalls: 1 } } },
      "MATCH_OPTIONS_MIXED",
    ],
    [
      "an order of one and extras of the other",
      { settings: { matchOptions: { toolCallOrder: "strict", extraToolCalls: 0 } } },
      "MATCH_OPTIONS_MIXED",
    ],
    ["a floor above the cap", { settings: { minimumIterations: 11 } }, "REPETITIONS_CAP"],
  ])("is not changed by %s", async (_, wrong, code) => {
    const suiteId = await makeSuite();
    expect(codeOf(await change(suiteId, wrong))).toEqual([400, code]);
  });

  it("attaches clients with their own servers, other ones, or explicitly none", async () => {
    const suiteId = await makeSuite();
    const attached = async (host: object) => (await change(suiteId, { hosts: [host] })).body.hosts;
    expect(await attached({ host: hostId })).toEqual([{ id: hostId, name: "Host" }]);
    expect(await attached({ host: "host", servers: ["Orders"] })).toEqual([
      { id: hostId, name: "Host", servers: [serverId] },
    ]);
    expect(await attached({ host: "Host", servers: [] })).toEqual([
      { id: hostId, name: "Host", servers: [] },
    ]);
    expect((await change(suiteId, { hosts: [] })).body.hosts).toEqual([]);
  });

  it("attaches environments: one more, all anew in order, or none", async () => {
    const suiteId = await makeSuite();
    const [one, two] = [await makeEnvironment(), await makeEnvironment()];
    expect((await attach(suiteId, one)).body).toMatchObject({ attached: true, environmentIds: [one] });
    expect((await attach(suiteId, two)).body).toMatchObject({ attached: true, environmentIds: [one, two] });
    expect((await attach(suiteId, one)).body).toMatchObject({ attached: false, environmentIds: [one, two] });
    expect((await change(suiteId, { environmentIds: [two, one] })).body.environmentIds).toEqual([two, one]);
    expect((await change(suiteId, { environmentIds: null })).body.environmentIds).toEqual([]);
    expect(codeOf(await attach(suiteId, "env_none"))).toEqual([400, "UNKNOWN_ENVIRONMENTS"]);
  });

  it("takes as many environments as it may, also when they are attached at once", async () => {
    const suiteId = await makeSuite();
    const most = limits.evals.environmentsPerSuite;
    const ids: EnvironmentId[] = [];
    for (let index = 0; index <= most; index += 1) ids.push(await makeEnvironment());
    const answers = await Promise.all(ids.map((id) => attach(suiteId, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(most).fill(200), 400]);
    expect((await read(suiteId)).environmentIds).toHaveLength(most);
  });

  it("is deleted by who made it or an admin, with its cases, and not while it runs", async () => {
    const mine = await makeSuite();
    expect((await call("DELETE", `/eval-suites/${mine}`, undefined, { key: another })).status).toBe(403);
    const run = await startedRun(mine);
    expect(codeOf(await call("DELETE", `/eval-suites/${mine}`))).toEqual([409, "RUN_IN_PROGRESS"]);
    await service.app.pool.query("UPDATE eval_runs SET status = 'cancelled' WHERE id = $1", [run]);
    expect((await call("DELETE", `/eval-suites/${mine}`)).body).toMatchObject({ id: mine, deleted: true });
    expect((await call("GET", `/eval-suites/${mine}`)).status).toBe(404);
    const { rows } = await service.app.pool.query("SELECT 1 FROM eval_runs WHERE id = $1", [run]);
    expect(rows).toEqual([]);
    const other = await makeSuite();
    expect((await call("DELETE", `/eval-suites/${other}`, undefined, { key: admin })).status).toBe(200);
  });

  it("is listed with its latest run, its results and its trend", async () => {
    const suiteId = await makeSuite();
    for (const [runNumber, passed] of [
      [1, 1],
      [2, 3],
      [3, 4],
    ] as const) {
      const summary = { total: 4, passed, failed: 4 - passed, passRate: passed / 4, excluded: 0 };
      const result = passed === 4 ? "passed" : "failed";
      await startedRun(suiteId, { runNumber, status: "completed", result, summary });
    }
    const latest = await startedRun(suiteId, { runNumber: 4 });
    const { items } = (await call("GET", "/eval-suites")).body;
    expect(items.find(({ id }: { id: string }) => id === suiteId)).toMatchObject({
      caseCount: 1,
      latestRun: { id: latest, status: "running", result: null, passRate: null },
      totals: { runs: 4, passed: 1, failed: 2 },
      passRateTrend: [0.25, 0.75, 1],
    });
  });
});

let minute = 0;
async function startedRun(
  suiteId: string,
  more: Partial<typeof evalRuns.$inferInsert> = {},
): Promise<string> {
  minute += 1;
  const id = newId("evalRun");
  await service.app.db.insert(evalRuns).values({
    id,
    projectId,
    suiteId: suiteId as never,
    runNumber: 1,
    suiteName: "Suite",
    status: "running",
    source: "api",
    target: { kind: "servers", id: null, name: "Orders", servers: [] },
    minimumPassRate: 100,
    planned: 4,
    surface: "api",
    createdBy: memberId,
    createdAt: new Date(minute * 60_000),
    ...more,
  });
  return id;
}

describe("a schedule", () => {
  it("needs an interval once, keeps it and its environment when turned off, and says when it runs next", async () => {
    const suiteId = await makeSuite();
    expect(codeOf(await schedule(suiteId, { enabled: true }))).toEqual([400, "SCHEDULE_INTERVAL_REQUIRED"]);
    expect((await schedule(suiteId, { enabled: false })).body.schedule).toMatchObject({ enabled: false });
    const environmentId = await makeEnvironment();
    await attach(suiteId, environmentId);
    const { body } = await schedule(suiteId, { enabled: true, intervalMinutes: 60 });
    expect(body.schedule).toMatchObject({ enabled: true, intervalMinutes: 60, environmentId, state: "ok" });
    expect(body.schedule.nextRunAt).toBeGreaterThan(Date.now() + 59 * 60_000);
    const off = (await schedule(suiteId, { enabled: false })).body.schedule;
    expect(off).toMatchObject({ enabled: false, intervalMinutes: 60, environmentId, nextRunAt: null });
    expect((await schedule(suiteId, { enabled: true })).body.schedule).toMatchObject({ intervalMinutes: 60 });
  });

  it("runs in one environment: the only one, or the one it is told", async () => {
    const suiteId = await makeSuite();
    const [one, two] = [await makeEnvironment(), await makeEnvironment()];
    await change(suiteId, { environmentIds: [one, two] });
    const on = (more: object) => schedule(suiteId, { enabled: true, intervalMinutes: 60, ...more });
    expect(codeOf(await on({}))).toEqual([400, "SCHEDULE_ENVIRONMENT_PIN_REQUIRED"]);
    expect(codeOf(await on({ environmentId: await makeEnvironment() }))).toEqual([
      400,
      "ENVIRONMENT_NOT_ATTACHED",
    ]);
    expect((await on({ environmentId: two })).body.schedule.environmentId).toBe(two);
    expect((await on({})).body.schedule.environmentId).toBe(two);
    expect(codeOf(await schedule(suiteId, { enabled: false, environmentId: one }))).toEqual([
      400,
      "SCHEDULE_ENVIRONMENT_WITH_DISABLE",
    ]);
    expect(codeOf(await change(suiteId, { environmentIds: [one] }))).toEqual([
      400,
      "SCHEDULE_ENVIRONMENT_PINNED",
    ]);
    expect(codeOf(await change(suiteId, { environmentIds: null }))).toEqual([
      400,
      "SCHEDULE_ENVIRONMENT_PINNED",
    ]);
    expect((await read(suiteId)).environmentIds).toEqual([one, two]);
    await schedule(suiteId, { enabled: false });
    expect((await change(suiteId, { environmentIds: null })).status).toBe(200);
  });

  it("without an environment hinders a second one, which would leave open where it runs", async () => {
    const suiteId = await makeSuite();
    await schedule(suiteId, { enabled: true, intervalMinutes: 60 });
    const ids = [await makeEnvironment(), await makeEnvironment()];
    const both = await change(suiteId, { environmentIds: ids });
    expect(codeOf(both)).toEqual([400, "SCHEDULE_ENVIRONMENT_PIN_REQUIRED"]);
  });

  it.each([
    ["an interval that is too short", { enabled: true, intervalMinutes: 4 }],
    ["an interval that is too long", { enabled: true, intervalMinutes: 10_081 }],
    ["a word for a yes", { enabled: "true", intervalMinutes: 60 }],
  ])("is refused with %s", async (_, wrong) => {
    expect((await schedule(await makeSuite(), wrong)).status).toBe(400);
  });

  it("is not turned on while an enabled case is approximated", async () => {
    const suiteId = await makeSuite();
    const { body } = await call("POST", `/eval-suites/${suiteId}/cases`, {
      ...asked("Like it"),
      id: "like-it",
      import: { status: "approximated" },
    });
    const refused = await schedule(suiteId, { enabled: true, intervalMinutes: 60 });
    expect(codeOf(refused)).toEqual([409, "APPROXIMATION_NOT_APPROVED"]);
    expect(refused.body.details.caseIds).toEqual(["like-it"]);
    await call("PATCH", `/eval-suites/${suiteId}/cases/${body.id}`, { disabled: true });
    expect((await schedule(suiteId, { enabled: true, intervalMinutes: 60 })).status).toBe(200);
  });
});

describe("a suite that a file owns", () => {
  const file = (declaredSuiteId: string, more: object = {}) => ({
    declaredSuiteId,
    name: "From a file",
    sourceHash: "a".repeat(64),
    environment: { servers: ["Orders"] },
    defaultConfig: { modelId: "fettle/rules-1", systemPrompt: "Be brief.", temperature: 0 },
    defaultPassCriteria: { minimumPassRate: 95.5 },
    ...more,
  });
  const sync = (body: object, sent: Sent = {}) => call("POST", "/eval-suites/from-file", body, sent);

  it("is made at the first call and changed at the next, by its declared id alone", async () => {
    const first = await sync(file("orders"));
    expect(first.body).toMatchObject({
      created: true,
      suite: {
        origin: "file",
        declaredId: "orders",
        sourceHash: "a".repeat(64),
        environment: { servers: [serverId] },
        executionConfig: { model: "fettle/rules-1", systemPrompt: "Be brief.", temperature: 0 },
        settings: { minimumAccuracy: 95.5, minimumIterations: null },
      },
    });
    await change(first.body.suite.id, { settings: { judge: { enabled: true } } });
    const again = await sync(file("orders", { name: "Renamed", defaultConfig: { modelId: "m" } }));
    expect(again.body).toMatchObject({
      created: false,
      // What the file leaves out is unset; what it has no word for stays.
      suite: {
        id: first.body.suite.id,
        name: "Renamed",
        executionConfig: { model: "m" },
        settings: { judge: { enabled: true } },
      },
    });
    expect(again.body.suite.executionConfig).toEqual({ model: "m", systemPrompt: null, temperature: null });
  });

  it("does not claim a suite of the app, whatever it is called", async () => {
    const suiteId = await makeSuite();
    const { name } = await read(suiteId);
    expect((await sync(file("by-name", { name }))).body).toMatchObject({ created: true });
    const byId = await sync(file(suiteId, { name }));
    expect(byId.body.created).toBe(true);
    expect(byId.body.suite.id).not.toBe(suiteId);
    expect((await read(suiteId)).origin).toBe("api");
  });

  it("is one suite, however many files are sent at once, and another in another project", async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => sync(file("at-once"))));
    expect(answers.filter(({ body }) => body.created)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.suite.id)).size).toBe(1);
    const there = { project: elsewhere, key: admin };
    const other = await sync(file("at-once", { environment: { servers: [] } }), there);
    expect(other.body.created).toBe(true);
  });

  it("knows its servers by name, or as the file binds them", async () => {
    const bound = { servers: ["shop"], serverBindings: [{ serverName: "shop", projectServerId: serverId }] };
    expect((await sync(file("bound", { environment: bound }))).body.suite.environment.servers).toEqual([
      serverId,
    ]);
    const unknown = await sync(file("unbound", { environment: { servers: ["shop"] } }));
    expect(codeOf(unknown)).toEqual([400, "UNKNOWN_SERVERS"]);
  });

  it("has its cases changed by a batch, which says what became of each", async () => {
    const { id } = (await sync(file("upserts"))).body.suite;
    const cases = [asked("One", { id: "one" }), asked("Two", { id: "two", disabled: true })];
    const actions = async (list: object[]) =>
      (await batch(id, list, { upsert: true })).body.created.map(({ action }: { action: string }) => action);
    expect(await actions(cases)).toEqual(["created", "created"]);
    expect(await actions(cases)).toEqual(["unchanged", "unchanged"]);
    const changed = [asked("One", { id: "one", iterations: 2 }), cases[1]!, asked("One", { id: "three" })];
    expect(await actions(changed)).toEqual(["updated", "unchanged", "created"]);
    const { items } = (await call("GET", `/eval-suites/${id}/cases`)).body;
    expect(items).toMatchObject([
      { declaredId: "one", iterations: 2 },
      { declaredId: "two", disabled: true },
      { declaredId: "three" },
    ]);
  });

  it("loses the cases that the file no longer declares, all at once, and none while a case of the batch failed", async () => {
    const { id } = (await sync(file("prunes"))).body.suite;
    const declared = async () =>
      (await call("GET", `/eval-suites/${id}/cases`)).body.items.map(
        (item: { declaredId: string }) => item.declaredId,
      );
    const send = async (ids: string[], more: object[] = []) =>
      batch(id, [...ids.map((one) => asked(one, { id: one })), ...more], { upsert: true, declaredIds: ids });
    expect((await send(["a", "b", "c"])).body.deleted).toBe(0);
    const faulty = await send(["a"], [{ id: "d", title: "d", steps: [] }]);
    expect([faulty.body.failed.length, faulty.body.deleted]).toEqual([1, 0]);
    expect(await declared()).toEqual(["a", "b", "c"]);
    expect((await send(["a"])).body.deleted).toBe(2);
    expect(await declared()).toEqual(["a"]);
    const byHand = await batch(await makeSuite(), [asked("x")], { declaredIds: ["x"] });
    expect(byHand.status).toBe(400);
  });

  describe("is changed by that file alone", () => {
    const one = asked("One", { id: "one" });
    const made = async (declaredId: string) => {
      const { id } = (await sync(file(declaredId))).body.suite;
      await batch(id, [one], { upsert: true });
      return id as string;
    };
    const contents = async (id: string) => [
      await read(id),
      (await call("GET", `/eval-suites/${id}/cases`)).body.items,
    ];
    it.each<[string, string, string, object?]>([
      ["a case added", "POST", "/cases", asked("Two")],
      ["a batch of cases", "POST", "/cases/batch", { cases: [asked("Two")] }],
      ["cases drafted", "POST", "/cases/generate", {}],
      ["a case changed", "PATCH", "/cases/one", { title: "Other" }],
      ["a case deleted", "DELETE", "/cases/one"],
      ["a name", "PATCH", "", { name: "Other" }],
      ["a description", "PATCH", "", { description: "Other" }],
      ["servers", "PATCH", "", { environment: { servers: [] } }],
      ["a model", "PATCH", "", { executionConfig: { model: "m" } }],
      [
        "an accuracy, beside what is nobody's",
        "PATCH",
        "",
        { tags: ["t"], settings: { minimumAccuracy: 1 } },
      ],
      ["checks", "PATCH", "", { settings: { checks: [{ type: "noToolErrors" }] } }],
    ])("%s: refused", async (what, method, path, body) => {
      const id = await made(`alone-${what.replaceAll(" ", "-").replaceAll(/[^a-z-]/g, "")}`);
      const before = await contents(id);
      const answer = await call(method, `/eval-suites/${id}${path}`, body);
      expect(codeOf(answer)).toEqual([409, "FILE_OWNED_SUITE"]);
      expect(answer.body.details.hint).toContain("fettle cloud eval run --file");
      expect(await contents(id)).toEqual(before);
    });

    it.each<[string, object]>([
      ["tags", { tags: ["t"] }],
      ["a judge", { settings: { judge: { enabled: true } } }],
      ["clients to run as", { hosts: [] }],
      ["environments to run in", { environmentIds: null }],
    ])("not the file's to say: %s", async (what, body) => {
      const id = await made(`not-its-${what.replaceAll(" ", "-")}`);
      expect((await change(id, body)).status).toBe(200);
    });
  });
});
