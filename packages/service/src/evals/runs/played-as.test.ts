import { limits, type ServerId } from "@fettle/contract/core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newId } from "../../core/id.ts";
import { evalSuiteHosts } from "../../core/tables/eval-suites.ts";
import { dayOf, readDay } from "../../models/budget.ts";
import { createClient } from "../../servers/clients/clients.ts";
import { createServer } from "../../servers/saved/servers.ts";
import { type EvalBench, evalBench } from "../../testing/eval-bench.ts";
import { type EvalStub, startEvalStub } from "../../testing/eval-stub.ts";
import { askCase } from "../../testing/eval-suite.ts";
import { pricedModel } from "../../testing/models/priced-model.ts";

let bench: EvalBench;
let stub: EvalStub;
beforeAll(async () => {
  stub = await startEvalStub();
  bench = await evalBench(stub.url, { env: stub.env });
});
afterAll(async () => {
  await bench.service.close();
  await stub.close();
});

const one = askCase("one", "How many copies of book 7?", "stock");
const launch = async (body: object) => (await bench.call("POST", "/eval-runs", body)).body.runId;

async function saveKeyed(headers: Record<string, string>): Promise<ServerId> {
  const { app } = bench.service;
  const wanted = {
    name: newId("server"),
    enabled: true,
    transportType: "http",
    url: stub.url,
    headers,
  } as const;
  return (await createServer(app, app.db, bench.world.projectId, bench.world.people.owner.userId, wanted)).id;
}

it("is out of time at its deadline: what has settled stays, what was under way is timed out, and there is no verdict", async () => {
  const suiteId = await bench.suite([{ ...one, iterations: 8 }], { model: stub.model });
  const held = Promise.withResolvers<undefined>();
  stub.onCall = async () => (stub.calls > 2 ? held.promise : undefined);
  const runId = await launch({ suiteId });
  // As if a worker had begun it long ago, and died.
  const begun = new Date(Date.now() - limits.evals.runMs + 6_000);
  await bench.service.app.pool.query("update eval_runs set started_at = $1 where id = $2", [begun, runId]);
  await bench.service.app.work();
  const run = await bench.ended(runId);
  held.resolve(undefined);
  stub.onCall = () => undefined;
  expect(run).toMatchObject({ status: "timed_out", result: null, stopReason: "run_timeout" });
  const { items } = (await bench.call("GET", `/eval-runs/${runId}/iterations`)).body;
  const statuses = items.map(({ status }: { status: string }) => status);
  expect(statuses.filter((status: string) => status === "completed")).toHaveLength(2);
  expect(new Set(statuses)).toEqual(new Set(["completed", "timed_out", "cancelled"]));
  expect((await bench.call("GET", `/eval-runs/${runId}/gate`)).body).toMatchObject({ status: "incomplete" });
});

it("connects as its client does: under its name and version, with its headers; the saved server's own go before them", async () => {
  const { app } = bench.service;
  const serverId = await saveKeyed({ "x-tenant": "of the server" });
  const config = {
    modelId: "fettle/rules-1",
    hostStyle: "goose",
    serverIds: [serverId],
    clientCapabilities: { roots: {} },
    connectionDefaults: { headers: { "x-tenant": "of the client", "x-team": "green", host: "elsewhere" } },
    serverConnectionOverrides: { [serverId]: { headersOverride: { "x-lane": "fast" } } },
  };
  const wanted = { name: newId("client"), config };
  const { owner } = bench.world.people;
  const client = await createClient(app, app.db, bench.world.projectId, owner.userId, wanted);
  const suiteId = await bench.suite([one]);
  await app.db.insert(evalSuiteHosts).values({ suiteId, clientId: client.id, position: 0 });
  await bench.ended(await launch({ suiteId }));
  const { headers, params } = stub.introductions.at(-1)!;
  expect(headers).toMatchObject({
    "x-tenant": "of the server",
    "x-team": "green",
    "x-lane": "fast",
    host: new URL(stub.url).host,
  });
  expect(params).toMatchObject({
    protocolVersion: "2025-03-26",
    clientInfo: { name: "goose-desktop" },
    capabilities: { roots: {} },
  });
});

it("keeps nothing of what lets it in, wherever servers and models repeat it", async () => {
  const ours = "canary-0f9e8d7c6b5a49382716";
  const theirs = "sk-canary-5566778899aabbccdd";
  const serverId = await saveKeyed({ "x-api-key": ours });
  const modelApiKeys = { "custom:zero": theirs };
  const asked = { serverIds: [serverId], model: stub.model };
  stub.onCall = (headers) => `You sent ${headers["x-api-key"]}.`;
  stub.onModel = ({ authorization }) => `My key is ${authorization}.`;
  const told = await launch({ suiteId: await bench.suite([one], asked), modelApiKeys });
  expect(await bench.ended(told)).toMatchObject({ result: "passed" });
  const { items } = (await bench.call("GET", `/eval-runs/${told}/iterations`)).body;
  const trace = await bench.call("GET", `/eval-runs/${told}/iterations/${items[0].id}/trace`);
  expect(JSON.stringify(trace.body)).toMatch(/You sent .*My key is /);
  stub.onModel = () => 401;
  const refused = await launch({ suiteId: await bench.suite([one], asked), modelApiKeys });
  expect(await bench.ended(refused)).toMatchObject({ result: "inconclusive" });
  stub.onCall = () => undefined;
  stub.onModel = () => undefined;
  const { rows: tables } = await bench.service.app.pool.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  );
  const leaks: string[] = [];
  for (const { name } of tables) {
    const found = await bench.service.app.pool.query(
      `select 1 from "${name}" as kept where kept::text ~ $1 or kept::text ~ $2`,
      [ours, theirs],
    );
    if (found.rowCount !== 0) leaks.push(name);
  }
  expect(leaks).toEqual([]);
});

it("sets aside what it may cost: what the day has not left is refused with its reset, and what was not used is given back", async () => {
  const { service, world } = bench;
  const { app } = service;
  const { setCap } = await pricedModel(bench, stub, { inputPerMTok: 100, outputPerMTok: 100 });
  await setCap(1);
  const start = async (iterations: number, headers: Record<string, string> = {}) => {
    const suiteId = await bench.suite([{ ...one, iterations }], { model: "custom:paid:stub" });
    return { suiteId, ...(await bench.call("POST", "/eval-runs", { suiteId }, { headers })) };
  };
  const refusal = (currentValue: number) => ({
    status: 429,
    body: {
      code: "RATE_LIMITED",
      details: {
        limit: "modelCredits",
        currentValue,
        allowedValue: 100,
        resetsAt: dayOf(app.now()).resetsAt,
      },
    },
  });

  const dear = await start(2);
  expect(dear).toMatchObject(refusal(0));
  expect((await bench.call("GET", `/eval-suites/${dear.suiteId}/runs`)).body.items).toEqual([]);
  const held = Promise.withResolvers<undefined>();
  stub.onCall = () => held.promise;
  const first = await start(1);
  expect(first.status).toBe(202);
  expect(await start(1)).toMatchObject(refusal(60));
  // A repetition of the launch sets nothing aside again.
  const again = await bench.call("POST", "/eval-runs", { suiteId: first.suiteId });
  expect(again.body).toMatchObject({ runId: first.body.runId, deduped: true });
  held.resolve(undefined);
  await bench.ended(first.body.runId);
  stub.onCall = () => undefined;
  expect((await readDay(app, world.organizationId)).heldUsd).toBe(0);
  await setCap(null);
});
