import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OrganizationId, ProjectId } from "@fettle/contract/core";
import type { Model, ModelRequest } from "@fettle/evals";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type Act,
  type ModelServer,
  startModelServer,
} from "../../../evals/src/models/testing/model-server.ts";
import { signedInBrowser } from "../testing/browser.ts";
import { makeMember, makeOrganization, makeProject } from "../testing/people.ts";
import { type TestService, testService } from "../testing/service.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { holderOf, releaseHold } from "./budget.ts";
import { settle } from "./budget-store.ts";
import { openModel } from "./open-model.ts";
import { pruneSpend } from "./prune.ts";

const key = "sk-any";
/** The stub says 11 tokens in and 7 out, so a call costs exactly 18 dollars at this price. */
const price = { inputPerMTok: 1_000_000, outputPerMTok: 1_000_000 };
/** What is set aside before: about what the request takes, and what it may at most be answered with. */
const request: ModelRequest = {
  messages: [{ role: "user", text: "Hello there!" }],
  tools: [],
  toolChoice: "none",
  parameters: { maxOutputTokens: 7 },
  now: 0,
  position: { prompt: 0, step: 0 },
};
const reserved = 18;
const midday = Date.UTC(2026, 10, 16, 12);

let service: TestService;
let provider: ModelServer;
let now = midday;
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  provider = stack.use(await startModelServer());
  provider.keys.add(key);
  service = await testService({ now: () => now });
  stack.defer(() => service.close());
});
afterAll(() => stack.disposeAsync());

async function makeSpender(capUsd: number | null = null) {
  const { db } = service.app;
  const organizationId = await makeOrganization(db);
  const browser = await signedInBrowser(service, await makeMember(db, organizationId, "admin"));
  const projectId = await makeProject(db, organizationId, { name: "Shop" });
  const at = `/app/organizations/${organizationId}`;
  const put = async (path: string, body: object) => {
    const answer = await browser.call(`${at}${path}`, { method: "PUT", body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  const models = [{ model: "priced", price }, { model: "unpriced" }];
  await put("/model-providers/custom:mine", { baseUrl: `${provider.origin}/v1`, apiKey: key, models });
  const setCap = (dailyCapUsd: number | null) => put("/model-budget", { dailyCapUsd });
  if (capUsd !== null) await setCap(capUsd);
  return {
    organizationId,
    projectId,
    browser,
    setCap,
    spend: async () => (await browser.call(`/api/v1/organizations/${organizationId}/model-spend`)).body,
    open: (model = "priced", sourceId = "run_1") => open(organizationId, projectId, model, sourceId),
  };
}

const open = (organizationId: OrganizationId, projectId: ProjectId | null, model: string, sourceId: string) =>
  openModel(service.app, {
    organizationId,
    projectId,
    name: `custom:mine:${model}`,
    source: { kind: "evalRun", id: sourceId },
  });
const ask = (model: Model, signal = new AbortController().signal) => model.generate(request, { signal });
const run = (id: string) => ({ kind: "evalRun", id });
async function holdForLaunch(
  { app }: TestService,
  {
    organizationId,
    source,
    usd,
  }: { organizationId: OrganizationId; source: ReturnType<typeof run>; usd: number | null },
) {
  const hold = await holderOf(app, organizationId);
  await app.db.transaction((tx) => hold(tx, source, usd));
}

test("fifty calls at once are written down exactly, and never pass the limit together", async () => {
  const spender = await makeSpender(20 * reserved);
  const model = await spender.open();
  const before = provider.requests.length;
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => ask(model)));
  const answered = outcomes.filter(({ status }) => status === "fulfilled").length;
  expect(answered).toBe(20);
  expect(provider.requests.length - before, "a refused call is not sent").toBe(20);
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "MODEL_SPEND_LIMIT" });
  }
  expect(await spender.spend()).toMatchObject({
    today: { calls: 20, inputTokens: 220, outputTokens: 140, costUsd: 360, unpricedCalls: 0 },
    reservedUsd: 0,
    dailyCapUsd: 360,
  });
});

test("without a limit nothing is refused, and the limit set later counts what was spent before", async () => {
  const spender = await makeSpender();
  const model = await spender.open();
  await Promise.all(Array.from({ length: 50 }, () => ask(model)));
  expect(await spender.spend()).toMatchObject({ today: { calls: 50, costUsd: 900 }, dailyCapUsd: null });
  await spender.setCap(900);
  await expect(ask(model)).rejects.toMatchObject({ code: "MODEL_SPEND_LIMIT" });
  await spender.setCap(918);
  await ask(model);
  await spender.setCap(null);
  await ask(model);
});

test("a launch past the limit is refused with 429, the ledger and when to come back", async () => {
  const spender = await makeSpender(100);
  const { organizationId } = spender;
  await holdForLaunch(service, { organizationId, source: run("run_1"), usd: 60 });
  const refused = holdForLaunch(service, { organizationId, source: run("run_2"), usd: 41 });
  await expect(refused).rejects.toMatchObject({
    status: 429,
    code: "RATE_LIMITED",
    retryAfter: 12 * 60 * 60,
    details: {
      ledger: "modelCredits",
      limit: "modelCredits",
      currentValue: 6_000,
      allowedValue: 10_000,
      resetsAt: Date.UTC(2026, 10, 17),
    },
  });
  expect((await spender.spend()).byModel, "nothing is written of what was refused").toEqual([]);
  await holdForLaunch(service, { organizationId, source: run("run_3"), usd: 40 });
});

test("calls of a launch take from what it set aside, others do not, and the rest comes back at its end", async () => {
  const spender = await makeSpender(3 * reserved);
  const { organizationId } = spender;
  await holdForLaunch(service, { organizationId, source: run("held"), usd: 2 * reserved });
  const [inside, outside] = [await spender.open("priced", "held"), await spender.open("priced", "other")];
  await ask(outside);
  await expect(ask(outside)).rejects.toMatchObject({ code: "MODEL_SPEND_LIMIT" });
  await ask(inside);
  expect(await spender.spend()).toMatchObject({ today: { costUsd: 36 }, reservedUsd: 18 });
  await releaseHold(service.app.db, organizationId, run("held"));
  expect(await spender.spend()).toMatchObject({ reservedUsd: 0 });
  await ask(outside);
  await releaseHold(service.app.db, organizationId, run("held"));
  expect(await spender.spend()).toMatchObject({ today: { costUsd: 54 }, reservedUsd: 0 });
});

test("a launch whose money is too little for its next call uses what is left of it", async () => {
  const spender = await makeSpender(2 * reserved);
  const { organizationId } = spender;
  await holdForLaunch(service, { organizationId, source: run("short"), usd: 1.5 * reserved });
  const model = await spender.open("priced", "short");
  await ask(model);
  await ask(model);
  await expect(ask(model)).rejects.toMatchObject({ code: "MODEL_SPEND_LIMIT" });
  expect(await spender.spend()).toMatchObject({ today: { costUsd: 36 }, reservedUsd: 0 });
});

test.each([
  [18, "$18.00: $18.00 are spent, $0.0000 set aside for what is under way, and this may cost $18.00."],
  [0.5, "$0.5000: $0.0000 are spent, $0.0000 set aside for what is under way, and this may cost $18.00."],
])("whoever is refused by a limit of %s dollars reads what was spent", async (cap, words) => {
  const spender = await makeSpender(cap);
  const model = await spender.open();
  if (cap === 18) await ask(model);
  await expect(ask(model)).rejects.toMatchObject({
    message: `The organization's daily limit for models is ${words}`,
  });
});

test("the next day begins with nothing spent", async () => {
  const spender = await makeSpender(reserved);
  const model = await spender.open();
  await ask(model);
  await expect(ask(model)).rejects.toMatchObject({ code: "MODEL_SPEND_LIMIT" });
  now = Date.UTC(2026, 10, 17, 0, 0, 1);
  try {
    await ask(model);
    expect((await spender.spend()).byDay).toMatchObject([
      { day: "2026-11-17", costUsd: 18 },
      { day: "2026-11-16", costUsd: 18 },
    ]);
    const of = async (days: number) => {
      const at = `/api/v1/organizations/${spender.organizationId}/model-spend?days=${days}`;
      const { today, byDay, byModel } = (await spender.browser.call(at)).body;
      return [today.costUsd, byDay.length, byModel[0].costUsd];
    };
    expect([await of(1), await of(2)]).toEqual([
      [18, 1, 18],
      [18, 2, 36],
    ]);
  } finally {
    now = midday;
  }
});

test("what has no price is unknown, never nothing, and cannot be held to a limit", async () => {
  const spender = await makeSpender();
  const model = await spender.open("unpriced");
  await ask(model);
  await ask(await spender.open("priced"));
  expect(await spender.spend()).toMatchObject({
    today: { calls: 2, costUsd: 18, unpricedCalls: 1 },
    byModel: [
      { model: "custom:mine:priced", costUsd: 18 },
      { model: "custom:mine:unpriced", calls: 1, costUsd: null, inputTokens: 11 },
    ],
    byProject: [{ projectId: spender.projectId, name: "Shop", calls: 2 }],
  });
  await spender.setCap(1_000);
  await expect(ask(model)).rejects.toMatchObject({ code: "MODEL_PRICE_UNKNOWN" });
  const launch = { organizationId: spender.organizationId, source: run("run_1"), usd: null };
  await expect(holdForLaunch(service, launch)).rejects.toMatchObject({
    status: 409,
    details: { code: "MODEL_PRICE_UNKNOWN" },
  });
});

test("the built-in rules cost nothing and are not counted", async () => {
  const spender = await makeSpender(0);
  const model = await openModel(service.app, {
    organizationId: spender.organizationId,
    projectId: null,
    name: "fettle/rules-1",
    source: run("run_1"),
  });
  await ask(model);
  expect((await spender.spend()).today).toMatchObject({ calls: 0, costUsd: 0 });
});

test.each<[what: string, act: Act, calls: number, spentUsd: number]>([
  ["a refusal", { kind: "status", status: 400 }, 0, 0],
  ["an answer that breaks off", { kind: "cut" }, 1, reserved],
  ["a page instead of an answer", { kind: "page" }, 1, reserved],
])("of a call lost to %s, what may have been charged counts as spent", async (_, act, calls, spentUsd) => {
  const spender = await makeSpender(reserved);
  // One for each try of one call.
  provider.will(act, ...(act.kind === "status" ? [] : [act, act]));
  const model = await spender.open();
  await expect(ask(model)).rejects.toThrow();
  const { today, reservedUsd } = await spender.spend();
  expect(today).toMatchObject({ calls, costUsd: calls === 0 ? 0 : null, unpricedCalls: calls });
  expect(reservedUsd).toBe(0);
  if (spentUsd === 0) await ask(model);
  else await expect(ask(model)).rejects.toMatchObject({ code: "MODEL_SPEND_LIMIT" });
});

test("a call is in the ledger before the provider has it: unsettled, with its estimate, until it is settled", async () => {
  const spender = await makeSpender();
  const stop = new AbortController();
  const before = provider.requests.length;
  provider.will({ kind: "hang" }, { kind: "hang" });
  const pending = [
    ask(await spender.open(), stop.signal),
    ask(await spender.open("unpriced"), stop.signal),
  ].map((call) => call.catch(({ code }) => code));
  await expect.poll(() => provider.requests.length).toBe(before + 2);
  const unsettled = { costUsd: 0, unpricedCalls: 0, unsettledUsd: reserved };
  expect(await spender.spend()).toMatchObject({
    today: { calls: 2, unsettledCalls: 2, ...unsettled },
    byDay: [{ calls: 2, unsettledCalls: 2, ...unsettled }],
    byProject: [{ name: "Shop", calls: 2, unsettledCalls: 2, ...unsettled }],
    byModel: [
      { model: "custom:mine:priced", unsettledCalls: 1, ...unsettled },
      { model: "custom:mine:unpriced", unsettledCalls: 1, unsettledUsd: null },
    ],
  });
  await ask(await spender.open());
  expect(await spender.spend()).toMatchObject({ today: { calls: 3, costUsd: 18, unsettledCalls: 2 } });
  stop.abort();
  expect(await Promise.all(pending)).toEqual(["MODEL_CANCELLED", "MODEL_CANCELLED"]);
  expect((await spender.spend()).today).toEqual({
    calls: 3,
    inputTokens: 11,
    outputTokens: 7,
    costUsd: 18,
    unpricedCalls: 2,
    unsettledCalls: 0,
    unsettledUsd: 0,
  });
});

test("nothing is sent before the ledger has the call, and nothing at all when it cannot have it", async () => {
  const spender = await makeSpender();
  const model = await spender.open();
  const before = provider.requests.length;
  const { db, pool } = service.app;
  let asked: Promise<unknown> | undefined;
  await db.transaction(async (tx) => {
    await tx.execute("lock table model_intents in share mode");
    asked = ask(model);
    const waiting =
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(1);
    // Long enough for a call that does not wait: another one comes and goes.
    await (await fetch(`${provider.origin}/elsewhere`, { method: "POST", body: "{}" })).text();
    expect(provider.requests.slice(before).filter(({ path }) => path.includes("completions"))).toEqual([]);
  });
  await asked;
  expect(provider.requests.slice(before).filter(({ path }) => path.includes("completions"))).toHaveLength(1);

  await pool.query("alter table model_intents rename to model_intents_gone");
  const sent = provider.requests.length;
  try {
    await expect(ask(model)).rejects.toThrow();
  } finally {
    await pool.query("alter table model_intents_gone rename to model_intents");
  }
  expect(provider.requests).toHaveLength(sent);
});

test("a settlement whose answer was lost is written again, and counts once", async () => {
  const { organizationId, projectId, spend } = await makeSpender();
  const source = run("run_1");
  const call = { organizationId, projectId, source, model: "any", at: midday };
  await service.app.models.intents.add({ ...call, id: `call of ${organizationId}`, estimateUsd: 1 });
  const settlement = {
    ...{ organizationId, source, day: "2026-11-16", reservedUsd: 0, isOfHold: false, spentUsd: 3 },
    intentId: `call of ${organizationId}`,
    call: { ...call, inputTokens: 1, outputTokens: 2, costUsd: 3 },
  };
  await settle(service.app.pool, [settlement]);
  await settle(service.app.pool, [settlement]);
  expect((await spend()).today).toMatchObject({ calls: 1, costUsd: 3, unsettledCalls: 0 });
  const { rows } = await service.app.pool.query(
    "select spent_usd from model_budget_days where organization_id = $1",
    [organizationId],
  );
  expect(rows).toEqual([{ spent_usd: "3" }]);
});

test("a provider that cannot be reached leaves nothing unsettled", async () => {
  const spender = await makeSpender();
  provider.will({ kind: "status", status: 400 });
  await expect(ask(await spender.open())).rejects.toThrow();
  expect((await spender.spend()).today).toMatchObject({ calls: 0, unsettledCalls: 0, unsettledUsd: 0 });
});

test("an operator's limit holds for every organization, and no admin can raise it", async () => {
  const config = join(temporaryFolder(), "fettle.yaml");
  writeFileSync(config, "models: { limits: { creditsPerDay: 500 } }\n");
  await using limited = await testService({ now: () => midday, env: { FETTLE_CONFIG: config } });
  const organizationId = await makeOrganization(limited.app.db);
  const browser = await signedInBrowser(limited, await makeMember(limited.app.db, organizationId, "admin"));
  const at = `/app/organizations/${organizationId}`;
  await browser.call(`${at}/model-budget`, { method: "PUT", body: { dailyCapUsd: 1_000 } });
  expect((await browser.call(`/api/v1/organizations/${organizationId}/model-spend`)).body).toMatchObject({
    deploymentCapUsd: 5,
    dailyCapUsd: 1_000,
  });
  const hold = (usd: number) => holdForLaunch(limited, { organizationId, source: run("run_1"), usd });
  await hold(5);
  await expect(hold(0.01)).rejects.toMatchObject({ details: { allowedValue: 500 } });
});

test("what a process has not written down yet is written when it stops", async () => {
  const spender = await makeSpender();
  const model = await spender.open();
  await ask(model);
  await service.app.models.settlements.close();
  const { rows } = await service.app.pool.query(
    "select cost_usd from model_spend where organization_id = $1",
    [spender.organizationId],
  );
  expect(rows).toEqual([{ cost_usd: "18" }]);
});

test("what was spent longer ago than can be asked for is forgotten, and what can be asked for is not", async () => {
  const spender = await makeSpender();
  const dayMs = 24 * 60 * 60 * 1000;
  for (const days of [0, 365, 367]) {
    now = midday - days * dayMs;
    await ask(await spender.open());
  }
  now = midday;
  await service.app.models.settlements.flush();
  await pruneSpend(service.app);
  const { rows } = await service.app.pool.query("select 1 from model_spend where organization_id = $1", [
    spender.organizationId,
  ]);
  expect(rows).toHaveLength(2);
});

test("what a model answers a server is paid for like everything else, and refused past the limit", async () => {
  const spender = await makeSpender(reserved);
  const servers = `/projects/${spender.projectId}/servers`;
  const saved = await spender.browser.call(`/api/v1${servers}`, {
    method: "POST",
    body: { name: "asks", transportType: "http", url: "https://mcp.example.com/mcp" },
  });
  expect(saved.status, JSON.stringify(saved.body)).toBe(201);
  const sample = (content: object) =>
    spender.browser.call(`/app${servers}/${saved.body.id}/samples`, {
      method: "POST",
      body: {
        model: "custom:mine:priced",
        params: { messages: [{ role: "user", content }], maxTokens: 7 },
      },
    });
  const first = await sample({ type: "text", text: "Hello there!" });
  expect(first.body).toEqual({
    result: {
      role: "assistant",
      content: { type: "text", text: expect.any(String) },
      model: "custom:mine:priced",
      stopReason: "endTurn",
    },
  });
  expect((await spender.spend()).today).toMatchObject({ calls: 1, costUsd: 18 });
  const second = await sample({ type: "text", text: "Hello there!" });
  expect(second).toMatchObject({ status: 429, body: { details: { code: "MODEL_SPEND_LIMIT" } } });
  const picture = await sample({ type: "image", data: "aGk=", mimeType: "image/png" });
  expect(picture).toMatchObject({ status: 422, body: { details: { reason: "SAMPLING_CONTENT" } } });
});
