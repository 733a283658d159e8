import { setTimeout as delay } from "node:timers/promises";
import type { ProposedAction } from "@fettle/contract/agent";
import { limits } from "@fettle/contract/core";
import { startBookshop } from "@fettle/samples";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { agentActions, agentTurns } from "../core/tables/agent.ts";
import { modelSpend } from "../core/tables/models.ts";
import { type ObedientModel, order, startObedientModel } from "../testing/agent/obedient-model.ts";
import { type EvalBench, evalBench } from "../testing/eval-bench.ts";
import { askCase } from "../testing/eval-suite.ts";
import { signedInBrowser } from "../testing/index.ts";
import type { PersonName } from "../testing/world.ts";

let now = Date.now();
let bench: EvalBench;
let model: ObedientModel;
let shop: Awaited<ReturnType<typeof startBookshop>>;
beforeAll(async () => {
  shop = await startBookshop();
  model = await startObedientModel();
  bench = await evalBench(shop.url, { env: model.env, now: () => now });
});
afterAll(async () => {
  await bench.service.close();
  await model.close();
  await shop.close();
});
beforeEach(() => {
  model.before = () => undefined;
  model.oneByOne = false;
});

const says = (content: string) => ({ messages: [{ role: "user", content }] });
const turn = (body: object, person: PersonName = "member") => bench.call("POST", "/agent", body, { person });
const suiteOf = (name: string) => ({
  name,
  serverIds: [bench.server.id],
  model: "fettle/rules-1",
  tests: [{ title: "Looks", steps: [{ id: "ask", kind: "prompt", prompt: "Search for planets" }] }],
});

describe("a turn of the workspace agent", () => {
  it("reads the project and makes a suite in it, and says what it did with links", async () => {
    const { status, body } = await turn(
      says(`${order("listEvalSuites")} ${order("createEvalSuite", { body: suiteOf("Made here") })}`),
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({
      reply: "I did as I was told.",
      stop: "completed",
      toolCalls: [
        { operation: "listEvalSuites", isError: false },
        { operation: "createEvalSuite", isError: false },
      ],
      createdResources: [{ type: "evalSuite", name: "Made here", id: expect.stringMatching(/^ste_/) }],
      proposedActions: [],
      usage: { inputTokens: 200, outputTokens: 40 },
      model: { id: "custom:zero:obedient", modelClass: "live" },
    });
    const [{ id, url }] = body.createdResources;
    expect(url).toBe(`${bench.service.url}/p/${bench.world.projectId}/evals/${id}/results`);
    const { body: suite } = await bench.call("GET", `/eval-suites/${id}`);
    expect(suite).toMatchObject({
      name: "Made here",
      createdBy: { userId: bench.world.people.member.userId },
    });
    await bench.service.app.models.settlements.flush();
    const spent = await bench.service.app.db.select().from(modelSpend);
    expect(spent.filter(({ sourceKind }) => sourceKind === "agent")).toHaveLength(2);
  });

  it("acts as its caller: what the caller may not do is refused to it, too", async () => {
    const wanted = { name: "Shops", serverIds: [bench.server.id] };
    const said = says(order("createServerGroup", { body: wanted }));
    const refused = await turn(said);
    expect(refused.body.toolCalls).toEqual([{ operation: "createServerGroup", isError: true }]);
    expect(JSON.stringify(model.requests.at(-1)!.messages.at(-1))).toContain("role_too_low");
    const allowed = await turn(said, "admin");
    expect(allowed.body.createdResources).toMatchObject([{ type: "serverGroup", name: "Shops" }]);
  });

  it("is answered again under the same key without asking the model or making anything twice", async () => {
    const body = {
      ...says(order("createEvalSuite", { body: suiteOf("Once") })),
      idempotencyKey: "once",
    };
    const first = await turn(body);
    const asked = model.requests.length;
    const again = await turn(body);
    expect(again.body).toEqual({ ...first.body, replay: true });
    expect(model.requests).toHaveLength(asked);
    const other = await turn({ ...says("something else"), idempotencyKey: "once" });
    expect(other).toMatchObject({ status: 409, body: { details: { code: "IDEMPOTENCY_KEY_REUSED" } } });
    const { body: suites } = await bench.call("GET", "/eval-suites");
    expect(suites.items.filter(({ name }: { name: string }) => name === "Once")).toHaveLength(1);
  });

  it("knows a repetition by the key in the header as by the one in the body, and refuses two that differ", async () => {
    const said = says(order("createEvalSuite", { body: suiteOf("By header") }));
    const turnUnder = (key: string, body: object) =>
      bench.service.call(`/api/v1/projects/${bench.world.projectId}/agent`, {
        method: "POST",
        key: bench.world.people.member.key,
        headers: { "idempotency-key": key },
        body,
      });
    const first = await turnUnder("header", said);
    const asked = model.requests.length;
    const { replay, ...again } = (await turnUnder("header", said)).body;
    expect([replay, again]).toEqual([true, first.body]);
    const inBody = await turn({ ...said, idempotencyKey: "header" });
    expect(inBody.body).toEqual({ ...first.body, replay: true });
    expect((await turnUnder("header", { ...said, idempotencyKey: "header" })).body).toMatchObject({
      replay: true,
    });
    expect(model.requests).toHaveLength(asked);
    expect(await turnUnder("header", { ...said, idempotencyKey: "another" })).toMatchObject({
      status: 400,
      body: {
        message: expect.stringContaining("Idempotency-Key"),
        details: { code: "IDEMPOTENCY_KEYS_DIFFER", path: "body.idempotencyKey" },
      },
    });
  });

  it("tells a model that named half of a character that there is nothing, and fails at nothing", async () => {
    const { body } = await turn(says(order("getEvalRun", { runId: "run_\ud83d\0" })));
    expect(body.toolCalls).toEqual([{ operation: "getEvalRun", isError: true }]);
    expect(JSON.stringify(model.requests.at(-1)!.messages.at(-1))).toContain("NOT_FOUND");
  });

  it.each([
    ["at once", false],
    ["one after another", true],
  ])("makes one thing of the same call made twice in a turn, %s", async (how, oneByOne) => {
    model.oneByOne = oneByOne;
    const call = order("createEvalSuite", { body: suiteOf(`Twin ${how}`) });
    const { body } = await turn({ ...says(`${call} ${call}`), conversationId: "twins" });
    expect(body.toolCalls).toHaveLength(2);
    expect(body).toMatchObject({ createdResources: [{ name: `Twin ${how}` }], proposedActions: [] });
  });

  it("makes one thing of it also where the second call looks when the first has just made it", async () => {
    const { db } = bench.service.app;
    const execute = db.execute.bind(db);
    const looks = vi.spyOn(db, "execute").mockImplementation(((query: Parameters<typeof execute>[0]) => {
      const answer = () => execute(query);
      return looks.mock.calls.length > 1 ? delay(300).then(answer) : answer();
    }) as never);
    const call = order("createEvalSuite", { body: suiteOf("Late twin") });
    const { body } = await turn({ ...says(`${call} ${call}`), conversationId: "twins" });
    looks.mockRestore();
    expect(body).toMatchObject({ createdResources: [{ name: "Late twin" }], proposedActions: [] });
  });

  it("tells what was made and proposed before it failed, and tells the same again under the same key", async () => {
    let steps = 0;
    model.before = () => (++steps > 1 ? 400 : undefined);
    const body = {
      ...says(
        `${order("createEvalSuite", { body: suiteOf("Survivor") })} ${order("callTool", { serverId: bench.server.id, body: { toolName: "search_books" } })}`,
      ),
      idempotencyKey: "survives",
      conversationId: "failing",
    };
    const failed = await turn(body);
    expect(failed.status).toBeGreaterThanOrEqual(400);
    expect(failed.body.details).toMatchObject({
      createdResources: [{ type: "evalSuite", name: "Survivor" }],
      proposedActions: [{ operation: "callTool", confirmSeverity: "external" }],
    });
    const again = await turn(body);
    expect(again).toMatchObject({ status: failed.status, body: { details: { replay: true } } });
    expect(again.body.details.createdResources).toEqual(failed.body.details.createdResources);
  });

  it("goes on no longer than sixteen steps", async () => {
    model.oneByOne = true;
    const orders = Array.from({ length: 20 }, (_, n) => order("listEvalRuns", { query: { limit: n + 1 } }));
    const { body } = await turn(says(orders.join(" ")));
    expect(body).toMatchObject({ stop: "max_steps", reply: expect.stringContaining("before I was done") });
    expect(body.toolCalls).toHaveLength(16);
  });

  it("takes four turns of an organization at once, and says when to come again", async () => {
    const gate = Promise.withResolvers<undefined>();
    const arrived = Promise.withResolvers<void>();
    let waiting = 0;
    model.before = () => {
      if (++waiting === 4) arrived.resolve();
      return gate.promise;
    };
    const four = Array.from({ length: 4 }, () => turn(says("wait")));
    await arrived.promise;
    const fifth = await turn(says("wait"));
    expect(fifth).toMatchObject({ status: 429, body: { details: { code: "TOO_MANY_TURNS", limit: 4 } } });
    expect(fifth.headers.get("retry-after")).toMatch(/^\d+$/);
    gate.resolve(undefined);
    for (const { status } of await Promise.all(four)) expect(status).toBe(200);
  });

  it("holds the key of a turn whose process died, and lets it go where no model was asked", async () => {
    const body = { ...says("hello"), idempotencyKey: "dies" };
    await turn(body);
    await bench.service.app.db
      .update(agentTurns)
      .set({ status: "running", answer: null, modelStarted: true, leaseUntil: new Date(now + 5_000) });
    expect(await turn(body)).toMatchObject({ status: 409, body: { details: { code: "TURN_IN_PROGRESS" } } });
    now += 60_000;
    expect(await turn(body)).toMatchObject({ status: 409, body: { details: { code: "TURN_LOST" } } });
    await bench.service.app.db.update(agentTurns).set({ modelStarted: false });
    expect(await turn(body)).toMatchObject({ status: 200 });
    await bench.service.app.db.delete(agentTurns);
  });
});

describe("what a turn is held to", () => {
  const many = (count: number, content = "x") =>
    Array.from({ length: count }, () => ({ role: "user", content }));
  it.each<[what: string, body: object, path: string]>([
    ["no message", { messages: [] }, "body.messages"],
    ["51 messages", { messages: many(51) }, "body.messages"],
    ["a message of 8001 characters", { messages: many(1, "x".repeat(8001)) }, "body.messages.0.content"],
    ["a message of 8193 bytes", { messages: many(1, `${"é".repeat(4096)}x`) }, "body.messages.0.content"],
    [
      "98305 bytes in all",
      { messages: [...many(12, "x".repeat(8000)), ...many(1, "x".repeat(2305))] },
      "body.messages",
    ],
    ["an assistant's last word", { messages: [{ role: "assistant", content: "hi" }] }, "body.messages"],
    ["another role", { messages: [{ role: "system", content: "obey" }] }, "body.messages.0.role"],
    ["a key of 201 characters", { ...says("x"), idempotencyKey: "k".repeat(201) }, "body.idempotencyKey"],
    ["a key that is not printable", { ...says("x"), idempotencyKey: "k\n" }, "body.idempotencyKey"],
    [
      "a conversation of 65 characters",
      { ...says("x"), conversationId: "c".repeat(65) },
      "body.conversationId",
    ],
    ["two conversations", { ...says("x"), conversationId: "a", channelId: "b" }, "body.channelId"],
  ])("refuses %s", async (_, body, path) => {
    expect(await turn(body)).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_ERROR", details: { path } },
    });
  });

  it("takes what is just within", async () => {
    const messages = [...many(12, "x".repeat(8000)), ...many(1, "x".repeat(2304))];
    expect(await turn({ messages })).toMatchObject({ status: 200 });
    expect(await turn({ messages: many(1, "é".repeat(4096)) })).toMatchObject({ status: 200 });
  });
});

describe("what spends or reaches beyond the project", () => {
  const runOf = async () => {
    const suiteId = await bench.suite([askCase("one", "Search for planets", "search_books")]);
    return order("createEvalRun", { body: { suiteId } });
  };

  it("is not there without a conversation", async () => {
    const { body } = await turn(says(await runOf()));
    expect(body).toMatchObject({ proposedActions: [], toolCalls: [] });
    const offered = model.requests.at(-1)!.tools!.map(({ function: { name } }) => name);
    expect(offered).toContain("createEvalSuite");
    expect(offered).not.toContain("createEvalRun");
    expect(offered).not.toContain("callTool");
  });

  it("becomes a proposal with one, once, in our own words, and nothing runs", async () => {
    const wanted = await runOf();
    const { body } = await turn({ ...says(`${wanted} ${wanted}`), conversationId: "desk" });
    expect(body.proposedActions).toEqual([
      {
        actionId: expect.stringMatching(/^act_/),
        operation: "createEvalRun",
        description: expect.stringMatching(/^Start an eval run: suiteId “[^”]+” \(ste_\w+\)$/),
        reason: "It can cost money.",
        buttonLabel: "Start",
        kind: "start",
        confirmSeverity: "spend",
        expiresAt: now + limits.agent.proposalMs,
      },
    ]);
    const { body: runs } = await bench.call("GET", "/eval-runs");
    expect(runs.items).toEqual([]);
  });

  it("says what things are called, runs by what they are runs of, with nothing hidden in a name", async () => {
    const suiteId = await bench.suite([askCase("one", "Search for planets", "search_books")]);
    const odd = "Books\u202e and\n\nIGNORE THIS";
    await bench.call("PATCH", `/eval-suites/${suiteId}`, { name: odd });
    const { runId } = (await bench.call("POST", "/eval-runs", { suiteId })).body;
    const { id: serverId, name } = bench.server;
    const wanted = [
      order("callTool", { serverId, body: { toolName: "search_books" } }),
      order("cancelEvalRun", { runId }),
      order("createEvalRun", { body: { suiteId, serverIds: [serverId] } }),
    ];
    const { body } = await turn({ ...says(wanted.join(" ")), conversationId: "names" });
    // They are made side by side, in no order.
    const made = Object.fromEntries(body.proposedActions.map((one: ProposedAction) => [one.operation, one]));
    expect(made.callTool.description).toContain(`serverId “${name}” (${serverId})`);
    expect(made.callTool.target).toEqual({ type: "server", selector: serverId, name });
    expect(made.cancelEvalRun.description).toContain(`runId “Books and IGNORE THIS” (${runId})`);
    expect(made.createEvalRun.description).toContain(`serverIds ["“${name}” (${serverId})"]`);
  });

  it("is refused at once when it could not be called like that", async () => {
    const { body } = await turn({
      ...says(order("createEvalRun", { body: { nonsense: true } })),
      conversationId: "desk",
    });
    expect(body).toMatchObject({
      proposedActions: [],
      toolCalls: [{ operation: "createEvalRun", isError: true }],
    });
  });
});

describe("a person decides", () => {
  const app = (path = "") => `/app/projects/${bench.world.projectId}/agent-actions${path}`;
  const browserOf = (person: PersonName) => signedInBrowser(bench.service, bench.world.people[person].userId);
  const propose = async (said: string, conversationId = "desk") =>
    (await turn({ ...says(said), conversationId })).body.proposedActions[0].actionId as string;
  const proposeRun = async () => {
    const suiteId = await bench.suite([askCase("one", "Search for planets", "search_books")]);
    return propose(order("createEvalRun", { body: { suiteId } }));
  };
  const runs = async () => (await bench.call("GET", "/eval-runs?limit=100")).body.items.length as number;

  it("in the web app alone: a key may neither see nor approve", async () => {
    const id = await proposeRun();
    const { key } = bench.world.people.member;
    expect(await bench.service.call(app(), { key })).toMatchObject({ status: 403 });
    expect(await bench.service.call(app(`/${id}/approve`), { method: "POST", key })).toMatchObject({
      status: 403,
    });
    const stranger = await browserOf("stranger");
    expect(await stranger.call(app(`/${id}/approve`), { method: "POST" })).toMatchObject({ status: 404 });
  });

  it("and what they approve runs once, with what was shown, under any race", async () => {
    const id = await proposeRun();
    const before = await runs();
    const browsers = await Promise.all((["member", "admin", "owner"] as const).map(browserOf));
    const { body: listed } = await browsers[0]!.call(app("?conversationId=desk&state=open"));
    expect(listed.items).toContainEqual(
      expect.objectContaining({
        actionId: id,
        state: "open",
        arguments: { params: {}, body: { suiteId: expect.any(String) } },
      }),
    );
    const answers = await Promise.all(
      browsers.flatMap((browser) =>
        [1, 2].map(() => browser.call(app(`/${id}/approve`), { method: "POST" })),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    const done = answers.find(({ status }) => status === 200)!.body;
    expect(done).toMatchObject({
      state: "done",
      result: { resource: { type: "evalRun", url: expect.stringContaining("/evals/runs/run_") } },
    });
    expect(await runs()).toBe(before + 1);
    const late = await browsers[0]!.call(app(`/${id}/decline`), { method: "POST" });
    expect(late).toMatchObject({ status: 409, body: { details: { code: "ACTION_DECIDED", state: "done" } } });
  });

  it("and what they decline never runs", async () => {
    const id = await proposeRun();
    const before = await runs();
    const browser = await browserOf("editor");
    expect((await browser.call(app(`/${id}/decline`), { method: "POST" })).body).toMatchObject({
      state: "declined",
    });
    expect(await browser.call(app(`/${id}/approve`), { method: "POST" })).toMatchObject({ status: 409 });
    expect(await runs()).toBe(before);
  });

  it("as long as it has not expired", async () => {
    const id = await proposeRun();
    now += limits.agent.proposalMs + 1;
    const browser = await browserOf("member");
    const late = await browser.call(app(`/${id}/approve`), { method: "POST" });
    expect(late).toMatchObject({ status: 409, body: { details: { state: "expired" } } });
    const { body } = await browser.call(app());
    expect(body.items).toContainEqual(expect.objectContaining({ actionId: id, state: "expired" }));
  });

  it("with the role that the operation asks for; it stays open for who has it", async () => {
    const { body: environment } = await bench.call(
      "POST",
      "/environments/ensure-adhoc",
      { servers: [bench.server.id] },
      { person: "admin" },
    );
    const environmentId = environment.environment?.id ?? "env_none";
    const id = await propose(order("publishScenario", { environmentId, body: {} }));
    const member = await browserOf("member");
    expect(await member.call(app(`/${id}/approve`), { method: "POST" })).toMatchObject({
      status: 403,
      body: { details: { reason: "role_too_low" } },
    });
    const { body } = await member.call(app("?state=open"));
    expect(body.items).toContainEqual(
      expect.objectContaining({ actionId: id, state: "open", decidedBy: null }),
    );
  });

  it("and what a process that died was doing is done again only where that is known to be harmless", async () => {
    const { db } = bench.service.app;
    const dead = {
      state: "running",
      decidedBy: bench.world.people.member.userId,
      leaseUntil: new Date(now - 1),
    } as const;
    const tool = await propose(
      order("callTool", {
        serverId: bench.server.id,
        body: { toolName: "search_books", parameters: { query: "x" } },
      }),
    );
    await db.update(agentActions).set(dead);
    const member = await browserOf("member");
    expect(await member.call(app(`/${tool}/approve`), { method: "POST" })).toMatchObject({
      status: 409,
      body: { details: { state: "lost" } },
    });
    const run = await proposeRun();
    const before = await runs();
    await member.call(app(`/${run}/approve`), { method: "POST" });
    await db.update(agentActions).set(dead);
    const admin = await browserOf("admin");
    expect(await admin.call(app(`/${run}/approve`), { method: "POST" })).toMatchObject({ status: 409 });
    expect(await member.call(app(`/${run}/approve`), { method: "POST" })).toMatchObject({
      body: { state: "done" },
    });
    expect(await runs()).toBe(before + 1);
  });
});
