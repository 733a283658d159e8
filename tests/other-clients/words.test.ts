/** The words, presence and statuses that other clients count on in readiness runs, searches, suites, projects and catalogs. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EvalBench, evalBench } from "../../packages/service/src/testing/eval-bench.ts";
import { startEvalStub } from "../../packages/service/src/testing/eval-stub.ts";
import { askCase } from "../../packages/service/src/testing/eval-suite.ts";
import { expectShape } from "./answers.ts";

// What was answered; each test says what of it is read.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Answered = any;

let bench: EvalBench;
let stub: Awaited<ReturnType<typeof startEvalStub>>;
beforeAll(async () => {
  stub = await startEvalStub();
  bench = await evalBench(stub.url, { env: stub.env });
  await bench.service.app.work();
});
afterAll(async () => {
  await bench.service.close();
  await stub.close();
});

const read = async (path: string): Promise<Answered> => (await bench.call("GET", path)).body;
const post = (path: string, body?: object) => bench.call("POST", path, body, { person: "admin" });

describe("a readiness run", () => {
  it.each([
    ["claude", "claude", {}],
    ["directory-a", "claude", {}],
    ["openai", "openai", { submissionMode: "mcp-only" }],
    ["directory-b", "openai", { submissionMode: "mcp-only" }],
  ])("started for %s says %s", async (asked, readinessKind, body) => {
    const { body: receipt } = await post(`/servers/${bench.server.id}/readiness-runs/${asked}`, body);
    expectShape(receipt, {
      runId: "text",
      projectId: "text",
      serverId: "text",
      readinessKind,
      status: "pending|running|completed",
      deduped: "flag",
      includeLlmObservations: "flag",
    });
    const run = await read(`/readiness-runs/${receipt.runId}`);
    const listed = (await read(`/readiness-runs?readinessKind=${asked}`)).items;
    for (const one of [run, ...listed]) {
      expectShape(one, {
        id: "text",
        readinessKind,
        serverId: "text|null",
        serverUrl: "text",
        submissionMode: "text|null",
        status: "pending|running|completed|failed|cancelled",
        overallStatus: "text|null",
        lanes: "list",
        stages: "list",
        authMode: "headless|interactive|provided-token|null",
        capabilities: "list",
        attemptCount: "count",
        terminalReason: "text|null",
        errorMessage: "text|null",
        policySnapshotDate: "text|null",
        engineVersion: "text|null",
        sdkVersion: "text|null",
        includeLlmObservations: "flag",
        llmObservations: "object",
        hasReport: "flag",
        reportUrl: "text|null",
        createdAt: "time",
        updatedAt: "time",
      });
    }
  });

  it("that has ended says which version graded it", async () => {
    const { body } = await post(`/servers/${bench.server.id}/readiness-runs/claude`, {});
    await expect.poll(async () => (await read(`/readiness-runs/${body.runId}`)).sdkVersion).toMatch(/^\d/);
  });
});

describe("the session search", () => {
  it.each([
    ["eval", 200],
    ["direct,scenario", 200],
    ["eval, direct", 200],
    ["direct,none", 400],
  ])("with sourceType %s is answered with %i", async (sourceType, status) => {
    const query = new URLSearchParams({ sourceType });
    expect((await bench.call("GET", `/sessions?${query}`)).status).toBe(status);
  });

  it("by several kinds finds all of them, and nothing else", async () => {
    await post("/eval-ingest/report", { suiteName: "Found", results: [{ caseTitle: "One", passed: true }] });
    const kinds = async (sourceType: string) =>
      (await read(`/sessions?sourceType=${sourceType}`)).items.map((one: Answered) => one.sourceType);
    expect(new Set(await kinds("eval,direct"))).toEqual(new Set(["eval"]));
    expect(await kinds("direct,scenario")).toEqual([]);
  });
});

describe("an eval run", () => {
  it("says by what it was played", async () => {
    const suite = await bench.suite([askCase("one", "How many copies of book 7?", "stock")]);
    const { body } = await post("/eval-runs", { suiteId: suite });
    const { body: reported } = await post("/eval-ingest/report", {
      suiteName: "Elsewhere",
      framework: "vitest",
      results: [{ caseTitle: "One", passed: true }],
    });
    const engines = [body.runId, reported.runId].map(
      async (id) => (await read(`/eval-runs/${id}`)).executionEngine,
    );
    expect(await Promise.all(engines)).toEqual(["emulated", "harness:vitest"]);
  });
});

describe("a suite", () => {
  const create = async () => {
    const id = await bench.suite([askCase("one", "How many copies of book 7?", "stock")]);
    const { status } = await bench.call("PATCH", `/eval-suites/${id}`, {
      executionConfig: { model: "fettle/rules-1" },
    });
    expect(status).toBe(200);
    return id;
  };

  it("says null for a prompt and a temperature that are not set", async () => {
    const { executionConfig } = await read(`/eval-suites/${await create()}`);
    expect(executionConfig).toMatchObject({ model: "fettle/rules-1", systemPrompt: null, temperature: null });
  });

  it("answers a partial choice of match options whole", async () => {
    const id = await create();
    const { body } = await bench.call("PATCH", `/eval-suites/${id}`, {
      settings: { matchOptions: { arguments: "exact" } },
    });
    const whole = { toolCallOrder: "any", extraToolCalls: "unlimited", arguments: "exact" };
    expect(body.settings.matchOptions).toEqual(whole);
    expect((await read(`/eval-suites/${id}`)).settings.matchOptions).toEqual(whole);
  });

  it("answers a case's partial choice with what its suite says of the rest", async () => {
    const at = `/eval-suites/${await create()}`;
    await bench.call("PATCH", at, { settings: { matchOptions: { arguments: "exact" } } });
    const [{ id }] = (await read(`${at}/cases`)).items;
    const { body } = await bench.call("PATCH", `${at}/cases/${id}`, {
      matchOptions: { toolCallOrder: "in-order" },
    });
    const whole = { toolCallOrder: "in-order", extraToolCalls: "unlimited", arguments: "exact" };
    expect(body.matchOptions).toEqual(whole);
    expect((await read(`${at}/cases`)).items[0].matchOptions).toEqual(whole);
  });
});

describe("the default project", () => {
  const report = async () =>
    (
      await bench.service.call("/api/v1/projects/default/eval-ingest/report", {
        method: "POST",
        key: bench.world.people.owner.key,
        body: { suiteName: `Default ${Math.random()}`, results: [{ caseTitle: "One", passed: true }] },
      })
    ).body.projectId;

  it("is the first, whichever was changed last, until an admin chooses another", async () => {
    const { key } = bench.world.people.owner;
    const send = (method: string, path: string, body?: object) =>
      bench.service.call(`/api/v1${path}`, { method, key, ...(body && { body }) });
    const { body: second } = await send("POST", "/projects", { name: "Second" });
    await send("PATCH", `/projects/${second.id}`, { description: "Changed last" });
    expect(await report()).not.toBe(undefined);
    const { body: chosen } = await send("PATCH", `/projects/${second.id}`, { isDefault: true });
    expect(chosen.isDefault).toBe(true);
    expect(await report()).toBe(second.id);
    await send("PATCH", `/projects/${bench.world.projectId}`, { isDefault: true });
    await send("PATCH", `/projects/${second.id}`, { description: "Changed again" });
    expect(await report()).toBe(bench.world.projectId);
    expect((await send("GET", `/projects/${second.id}`)).body.isDefault).toBe(false);
    await send("DELETE", `/projects/${second.id}`);
  });
});

describe("the tools of an agent runtime", () => {
  const ask = (harness: string) =>
    bench.service.call(`/api/v1/harness/${harness}/builtin-tools`, { key: bench.world.people.member.key });

  it("are listed with their names and arguments", async () => {
    const { status, body } = await ask("claude-code");
    expect(status).toBe(200);
    for (const one of body.items) {
      expectShape(one, {
        key: "text",
        name: "text",
        commonName: "text",
        description: "text",
        inputSchema: "object",
      });
    }
    expect(body.items.map(({ name }: Answered) => name)).toEqual(
      expect.arrayContaining(["Bash", "Read", "WebFetch"]),
    );
    expect(new Set(body.items.map(({ key }: Answered) => key)).size).toBe(body.items.length);
  });

  it("of one that nobody knows are not there", async () => {
    expect((await ask("unknown")).status).toBe(404);
  });
});

it.each([
  ["personas", { name: "Ann", role: "Buyer" }, "deleted"],
  ["swarms", { name: "Spring", sessionsPerTarget: 1, maxTurns: 3 }, "archived"],
])("taking %s away says of which project", async (path, body, word) => {
  const { id } = (await post(`/${path}`, body)).body;
  const gone = await bench.call("DELETE", `/${path}/${id}`, undefined, { person: "admin" });
  expect(gone.body).toEqual({ id, projectId: bench.world.projectId, [word]: true });
});
