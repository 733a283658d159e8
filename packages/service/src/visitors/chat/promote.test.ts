import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../core/id.ts";
import { createClient } from "../../servers/clients/clients.ts";
import { type EvalBench, evalBench } from "../../testing/eval-bench.ts";
import { type EvalStub, startEvalStub } from "../../testing/eval-stub.ts";
import { askCase, saveServer } from "../../testing/eval-suite.ts";

let bench: EvalBench;
let stub: EvalStub;
beforeAll(async () => {
  stub = await startEvalStub();
  bench = await evalBench(stub.url, { env: stub.env });
  await bench.service.app.work();
});
afterAll(async () => {
  await bench.service.close();
  await stub.close();
});
const [stock] = [{ name: "stock", description: "How many?", inputSchema: { type: "object" } }];
const destructive = { ...stock, annotations: { destructiveHint: true } };
afterEach(() => {
  stub.tools = [stock];
});

let keys = 0;
const call = (path: string, body: object) =>
  bench.service.call(`/api/v1${path}`, { method: "POST", key: bench.world.people.member.key, body });

/** What one message began. */
async function held(over: object = {}): Promise<string> {
  const { body } = await call("/chat-sessions/messages", {
    projectId: bench.world.projectId,
    idempotencyKey: `key ${++keys}`,
    message: `How many copies of book ${keys}?`,
    modelId: stub.model,
    serverIds: [bench.server.id],
    toolMode: "auto",
    ...over,
  });
  expect(body.sessionId, JSON.stringify(body)).toEqual(expect.any(String));
  return body.sessionId;
}
const promote = (sessionId: string, body: object) => call(`/chat-sessions/${sessionId}/promote`, body);
const suiteOf = (over: object = {}) =>
  bench.suite([askCase("one", "Anything", "stock")], { model: stub.model, ...over });
const codes = ({ body }: { body: { warnings: { code: string }[] } }) => body.warnings.map(({ code }) => code);

/** How many calls reached the server while the case was run. */
async function callsOfRun(suiteId: string, caseId: string): Promise<number> {
  const before = stub.calls;
  const { body } = await bench.call("POST", "/eval-runs", { suiteId, caseIds: [caseId] });
  await bench.ended(body.runId);
  return stub.calls - before;
}

describe("what a case keeps of the conversation it is made of", () => {
  it("is how careful it was: a read_only one never reaches a tool that changes something, an auto one does", async () => {
    stub.tools = [destructive];
    const suiteId = await suiteOf();
    const careful = await promote(await held({ toolMode: "read_only" }), { suiteId });
    expect(careful).toMatchObject({ status: 201, body: { suiteId, warnings: [] } });
    expect(careful.body.case.advancedConfig).toEqual({ toolMode: "read_only" });
    expect(await callsOfRun(suiteId, careful.body.case.id)).toBe(0);
    const free = await promote(await held(), { suiteId });
    expect(free.body.case).not.toHaveProperty("advancedConfig");
    expect(await callsOfRun(suiteId, free.body.case.id)).toBe(1);
  });

  it("is its prompt and temperature, where the suite has others", async () => {
    const told = { systemPrompt: "Be brief.", temperature: 0.5 };
    const sessionId = await held(told);
    const elsewhere = await promote(sessionId, { suiteId: await suiteOf({ systemPrompt: "Be long." }) });
    expect(elsewhere.body.case.advancedConfig).toEqual({ system: "Be brief.", temperature: 0.5 });
    const same = await promote(sessionId, { suiteId: await suiteOf(told) });
    expect(same.body.case).not.toHaveProperty("advancedConfig");
    const plain = await promote(await held(), { suiteId: await suiteOf(told) });
    expect(plain.body.case.advancedConfig).toEqual({ system: "" });
    expect(codes(plain)).toEqual(["TEMPERATURE_DIFFERS"]);
  });

  it("is all of it in a suite of its own: servers, client, model, prompt", async () => {
    const { app } = bench.service;
    const { projectId, people } = bench.world;
    const config = { modelId: stub.model, serverIds: [bench.server.id], systemPrompt: "As a client." };
    const wanted = { name: newId("client"), config };
    const client = await createClient(app, app.db, projectId, people.owner.userId, wanted);
    const asClient = await promote(await held({ clientId: client.id }), { suiteName: "Of its own" });
    expect(asClient).toMatchObject({ status: 201, body: { warnings: [], calls: 1 } });
    expect(asClient.body.case).not.toHaveProperty("advancedConfig");
    const { body: suite } = await bench.call("GET", `/eval-suites/${asClient.body.suiteId}`);
    expect(suite).toMatchObject({ name: "Of its own", hosts: [{ id: client.id }] });
    expect(await callsOfRun(suite.id, asClient.body.case.id)).toBe(1);
    const told = { systemPrompt: "Be brief.", temperature: 0.5 };
    const plain = await promote(await held(told), { suiteName: "Plain" });
    expect((await bench.call("GET", `/eval-suites/${plain.body.suiteId}`)).body).toMatchObject({
      executionConfig: { model: stub.model, ...told },
      environment: { servers: [bench.server.id] },
    });
  });
});

describe("what a case cannot keep is said", () => {
  it("other servers, another model, another client", async () => {
    const other = await saveServer(bench.world, bench.service.app, stub.url);
    const suiteId = await suiteOf({ serverIds: [other.id], model: "fettle/rules-1" });
    const made = await promote(await held(), { suiteId });
    expect(codes(made)).toEqual(["SERVERS_DIFFER", "MODEL_DIFFERS"]);
    expect(made.body.warnings[0].message).toContain(other.name);
    expect(made.body.warnings[0].message).toContain(bench.server.name);
  });

  it("what single turns were allowed, and that nobody is asked", async () => {
    const sessionId = await held({ allowedTools: ["stock"], maxSteps: 3 });
    const made = await promote(sessionId, { suiteId: await suiteOf() });
    expect(codes(made)).toEqual(["TURNS_NARROWED"]);
    expect(made.body.warnings[0].message).toMatch(/allowedTools.*maxSteps/);
  });
});

it.each<[string, object, number]>([
  ["neither a suite nor a name", {}, 400],
  ["both", { suiteId: "ste_missing", suiteName: "x" }, 400],
  ["no such suite", { suiteId: "ste_missing" }, 404],
])("%s is refused", async (_, body, status) => {
  expect(await promote(await held(), body)).toMatchObject({ status });
});
