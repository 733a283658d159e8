import { startBookshop } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type EvalBench, evalBench } from "../../testing/eval-bench.ts";
import { type EvalStub, startEvalStub } from "../../testing/eval-stub.ts";
import { saveServer } from "../../testing/eval-suite.ts";
import { signedInBrowser } from "../../testing/index.ts";
import type { PersonName } from "../../testing/world.ts";

let now = Date.now();
let bench: EvalBench;
let stub: EvalStub;
let stubServer: string;
let shop: Awaited<ReturnType<typeof startBookshop>>;
beforeAll(async () => {
  shop = await startBookshop();
  stub = await startEvalStub();
  bench = await evalBench(shop.url, { env: stub.env, now: () => now });
  stubServer = (await saveServer(bench.world, bench.service.app, stub.url)).id;
});
afterAll(async () => {
  await bench.service.close();
  await stub.close();
  await shop.close();
});

let keys = 0;
const newKey = () => `key ${++keys}`;

const call = (method: string, path: string, body?: object, person: PersonName = "member") =>
  bench.service.call(`/api/v1${path}`, {
    method,
    key: bench.world.people[person].key,
    ...(body && { body }),
  });
const send = (body: object, person?: PersonName) => call("POST", "/chat-sessions/messages", body, person);

/** The first message to the bookshop, by the rule model. */
const first = (over: object = {}) => ({
  projectId: bench.world.projectId,
  idempotencyKey: newKey(),
  message: "Search for books about planets",
  modelId: "fettle/rules-1",
  serverIds: [bench.server.id],
  ...over,
});
/** The same to the stub, whose model is paid for. */
const paid = (over: object = {}) =>
  first({ modelId: stub.model, serverIds: [stubServer], toolMode: "auto", message: "How many?", ...over });

describe("a conversation", () => {
  it("is begun, goes on with what was said, and is read back with positions of the whole", async () => {
    const begun = await send(first());
    expect(begun).toMatchObject({
      status: 200,
      body: {
        projectId: bench.world.projectId,
        finishReason: "stop",
        toolCalls: [
          {
            serverId: bench.server.id,
            toolName: "search_books",
            status: "ok",
            durationMs: expect.any(Number),
            output: { content: expect.any(Array) },
          },
        ],
        usage: { totalTokens: expect.any(Number) },
        model: { id: "fettle/rules-1", modelClass: "rules" },
        toolMode: "read_only",
        persisted: { outcome: "saved", version: 1 },
        origin: "api",
      },
    });
    const { sessionId, turnId, reply } = begun.body;
    expect(reply).toMatch(/\w/);
    const more = await send({
      sessionId,
      idempotencyKey: newKey(),
      message: "Search for books about rivers",
    });
    expect(more).toMatchObject({ status: 200, body: { sessionId, persisted: { version: 2 } } });
    const callIds = [...begun.body.toolCalls, ...more.body.toolCalls].map(({ toolCallId }) => toolCallId);
    expect(new Set(callIds).size).toBe(callIds.length);

    const { body: shown } = await call("GET", `/chat-sessions/${sessionId}?limit=3`);
    expect(shown).toMatchObject({
      sessionId,
      origin: "api",
      version: 2,
      toolMode: "read_only",
      modelId: "fettle/rules-1",
      messageCount: 8,
      nextMessageIndex: 3,
      messages: [
        { index: 0, role: "user", content: "Search for books about planets" },
        { index: 1, role: "assistant" },
        { index: 2, role: "tool" },
      ],
    });
    const { body: rest } = await call("GET", `/chat-sessions/${sessionId}?afterMessageIndex=3`);
    expect(rest.messages.map(({ index }: { index: number }) => index)).toEqual([4, 5, 6, 7]);
    expect(rest).not.toHaveProperty("nextMessageIndex");

    const { body: trace } = await call("GET", `/chat-sessions/${sessionId}/trace`);
    expect(trace).toMatchObject({
      turnCount: 2,
      latestPromptIndex: 1,
      turns: [{ turnId: more.body.turnId, promptIndex: 1, messageStartIndex: 4, messageEndIndex: 7 }],
    });
    const spans = trace.turns[0].spans as {
      category: string;
      promptIndex: number;
      messageEndIndex?: number;
    }[];
    expect(spans.map(({ category }) => category)).toContain("tool");
    expect(spans.every(({ promptIndex }) => promptIndex === 1)).toBe(true);
    expect(Math.max(...spans.map(({ messageEndIndex = 0 }) => messageEndIndex))).toBe(6);
    const { body: both } = await call("GET", `/chat-sessions/${sessionId}/trace?limit=20&includeSpans=false`);
    expect(both.turns.map(({ turnId: id }: { turnId: string }) => id)).toEqual([turnId, more.body.turnId]);
    expect(both.turns[0]).not.toHaveProperty("spans");
    expect((await call("GET", `/chat-sessions/${sessionId}/trace?turnId=${turnId}`)).body.turns).toHaveLength(
      1,
    );
    const all = await call("GET", `/chat-sessions/${sessionId}/trace?afterPromptIndex=-1&limit=1`);
    expect(all.body.turns).toMatchObject([{ turnId }]);
    expect(
      await call("GET", `/chat-sessions/${sessionId}/trace?turnId=${turnId}&afterPromptIndex=0`),
    ).toMatchObject({ status: 400, body: { details: { code: "SELECTOR_CONFLICT" } } });
  });

  it("is seen by its owner alone, and by the workspace once it is shared", async () => {
    const { body } = await send(first());
    const at = `/chat-sessions/${body.sessionId}`;
    for (const person of ["owner", "editor", "stranger"] as const) {
      expect(await call("GET", at, undefined, person)).toMatchObject({ status: 404 });
      expect(await call("GET", `${at}/trace`, undefined, person)).toMatchObject({ status: 404 });
    }
    const browser = await signedInBrowser(bench.service, bench.world.people.member.userId);
    expect(
      await browser.call(`/app${at}`, { method: "PATCH", body: { visibility: "project" } }),
    ).toMatchObject({ status: 200, body: { visibility: "project" } });
    expect(await call("GET", at, undefined, "owner")).toMatchObject({ body: { ownedByViewer: false } });
    expect(await call("GET", at, undefined, "editor")).toMatchObject({ status: 404 });
    const theirs = { sessionId: body.sessionId, idempotencyKey: newKey(), message: "Mine?" };
    expect(await send(theirs, "owner")).toMatchObject({
      status: 409,
      body: { details: { code: "CONTINUATION_NOT_ALLOWED" } },
    });
    expect(await call("GET", `${at}?projectId=proj_other`)).toMatchObject({ status: 404 });
  });
});

it("what cannot be read is said to be so, and is never told as nothing", async () => {
  const { body } = await send(first());
  const at = `/chat-sessions/${body.sessionId}`;
  const { pool } = bench.service.app;
  await pool.query("UPDATE chat_turns SET spans = NULL WHERE id = $1", [body.turnId]);
  const { body: trace } = await call("GET", `${at}/trace`);
  expect(trace.turns[0]).toMatchObject({ spansUnavailable: true });
  expect(trace.turns[0]).not.toHaveProperty("spans");
  await pool.query("DELETE FROM chat_messages WHERE session_id = $1 AND index = 1", [body.sessionId]);
  expect((await call("GET", at)).body).toMatchObject({ messageCount: null, transcriptUnavailable: true });
  const more = { sessionId: body.sessionId, idempotencyKey: newKey(), message: "And?" };
  expect(await send(more)).toMatchObject({
    status: 502,
    body: { details: { code: "TRANSCRIPT_UNAVAILABLE" } },
  });
});

describe("what is refused", () => {
  const noServers = { serverIds: undefined };
  it.each<[string, () => object, number, string | undefined]>([
    ["no key", () => first({ idempotencyKey: undefined }), 400, undefined],
    ["a key that is not ASCII", () => first({ idempotencyKey: "schlüssel" }), 400, undefined],
    ["an empty message", () => first({ message: "  " }), 400, undefined],
    ["a message of too many bytes", () => first({ message: "€".repeat(4_000) }), 400, undefined],
    ["no project", () => first({ projectId: undefined }), 400, "PROJECT_REQUIRED"],
    ["somebody else's project", () => first({ projectId: "proj_other" }), 404, undefined],
    ["nothing to speak to", () => first(noServers), 400, "TARGET_REQUIRED"],
    ["servers and an environment", () => first({ environmentId: "env_1" }), 400, "TARGET_AMBIGUOUS"],
    [
      "an environment that is not there",
      () => first({ ...noServers, environmentId: "env_1" }),
      404,
      undefined,
    ],
    ["a server that is not there", () => first({ serverIds: ["nope"] }), 400, "UNKNOWN_SERVERS"],
    ["no model", () => first({ modelId: undefined }), 400, "MODEL_REQUIRED"],
    ["a model without its provider", () => first({ modelId: "gpt-5" }), 400, "MODEL_AMBIGUOUS"],
    ["a model that nobody has a key for", () => first({ modelId: "openai/gpt-5" }), 400, "MODEL_UNAVAILABLE"],
    ["a temperature out of range", () => first({ temperature: 3 }), 400, undefined],
    ["too many steps", () => first({ maxSteps: 17 }), 400, undefined],
    ["a field nobody knows", () => first({ temprature: 1 }), 400, undefined],
    [
      "a session that is not there",
      () => ({ sessionId: "cht_1", idempotencyKey: "a", message: "Hi" }),
      404,
      undefined,
    ],
  ])("%s", async (_, body, status, code) => {
    const answer = await send(body());
    expect(answer).toMatchObject({ status, ...(code && { body: { details: { code } } }) });
  });

  it("whatever the first message settled, said again, by its names", async () => {
    const { body } = await send(first());
    const again = { sessionId: body.sessionId, idempotencyKey: newKey(), message: "More" };
    const settled = { modelId: "fettle/rules-1", systemPrompt: "Be brief", toolMode: "auto", temperature: 1 };
    expect(await send({ ...again, ...settled, serverIds: [bench.server.id] })).toMatchObject({
      status: 400,
      body: {
        details: {
          code: "CONFIG_ON_CONTINUATION",
          fields: ["modelId", "serverIds", "systemPrompt", "temperature", "toolMode"],
        },
      },
    });
    expect(await send({ ...again, expectedVersion: 7 })).toMatchObject({
      status: 409,
      body: { details: { code: "SESSION_VERSION_CONFLICT", currentVersion: 1 } },
    });
  });

  it("servers whose tools cannot be listed, before anything is paid, and the key may be used again", async () => {
    const gone = (await saveServer(bench.world, bench.service.app, "http://127.0.0.1:9/mcp")).id;
    const body = paid({ serverIds: [gone] });
    for (const _ of [1, 2]) expect(await send(body)).toMatchObject({ status: 502 });
    expect((await call("GET", "/chat-sessions")).body.items).not.toContainEqual(
      expect.objectContaining({ messageCount: 0 }),
    );
  });
});

describe("what is offered", () => {
  it.each<[string, object, number]>([
    ["only what says that it reads", {}, 1],
    ["no call at all", { maxToolCalls: 0 }, 0],
    ["no tool", { allowedTools: [] }, 0],
    ["no server", { allowedServerIds: [] }, 0],
    ["one tool", { toolMode: "auto", allowedTools: ["search_books"] }, 1],
  ])("%s", async (_, over, most) => {
    const { body } = await send(first(over));
    expect(body.advertisedToolCount > 0).toBe(most > 0);
    expect(body.excludedToolCount).toBeGreaterThan(0);
    if (most === 0)
      expect(body.toolCalls.every(({ status }: { status: string }) => status === "error")).toBe(true);
  });

  it("every tool, where that was asked for", async () => {
    const { body } = await send(first({ toolMode: "auto" }));
    expect(body).toMatchObject({ excludedToolCount: 0, toolMode: "auto" });
  });
});

describe("one message, once", () => {
  it("fifty tries at the same time make one turn, and pay once", async () => {
    let asked = 0;
    stub.onModel = () => {
      asked++;
      return undefined;
    };
    onTestFinished(() => {
      stub.onModel = () => undefined;
    });
    const body = paid();
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(body)));
    const done = answers.filter(({ status }) => status === 200);
    expect(done.length).toBeGreaterThan(0);
    for (const { status, body: told } of answers) {
      if (status !== 200) expect([status, told.details.code]).toEqual([409, "TURN_IN_PROGRESS"]);
    }
    expect(done.filter(({ body: told }) => !told.replay)).toHaveLength(1);
    const again = await send(body);
    expect(again).toMatchObject({
      status: 200,
      body: { replay: true, reply: "Four copies.", persisted: { outcome: "duplicate" } },
    });
    expect(asked).toBe(2);
    expect(await send({ ...body, message: "Something else" })).toMatchObject({
      status: 409,
      body: { details: { code: "IDEMPOTENCY_KEY_REUSED" } },
    });
  });

  it("is known by the key in the header as by the one in the body, and two that differ are refused", async () => {
    const sendUnder = (key: string, body: object) =>
      bench.service.call("/api/v1/chat-sessions/messages", {
        method: "POST",
        key: bench.world.people.member.key,
        headers: { "idempotency-key": key },
        body,
      });
    const { idempotencyKey, ...said } = first();
    const made = await sendUnder(idempotencyKey, said);
    expect(made.status).toBe(200);
    const { sessionId } = made.body;
    const replayed = { status: 200, body: { sessionId, replay: true } };
    expect(await sendUnder(idempotencyKey, said)).toMatchObject(replayed);
    expect(await send({ ...said, idempotencyKey })).toMatchObject(replayed);
    expect(await sendUnder("another", { ...said, idempotencyKey })).toMatchObject({
      status: 400,
      body: { details: { code: "IDEMPOTENCY_KEYS_DIFFER", path: "body.idempotencyKey" } },
    });
  });

  it("one turn of a conversation at a time, and four of an organization", async () => {
    const gate = Promise.withResolvers<undefined>();
    let waiting = 0;
    stub.onCall = () => {
      waiting++;
      return gate.promise;
    };
    onTestFinished(() => {
      stub.onCall = () => undefined;
    });
    const running = Array.from({ length: 4 }, () => send(paid()));
    await expect.poll(() => waiting).toBe(4);
    expect(await send(paid())).toMatchObject({ status: 429, body: { details: { code: "TOO_MANY_TURNS" } } });
    gate.resolve(undefined);
    const [one] = await Promise.all(running);
    expect(one).toMatchObject({ status: 200 });
    const second = Promise.withResolvers<undefined>();
    stub.onCall = () => second.promise;
    const { sessionId } = one!.body;
    const slow = send({ sessionId, idempotencyKey: newKey(), message: "And now?" });
    await expect
      .poll(async () => (await call("GET", `/chat-sessions/${sessionId}`)).body.runningTurnId)
      .not.toBeNull();
    expect(await send({ sessionId, idempotencyKey: newKey(), message: "Me too" })).toMatchObject({
      status: 409,
      body: { details: { code: "TURN_IN_PROGRESS", retryAfterMs: expect.any(Number) } },
    });
    second.resolve(undefined);
    expect(await slow).toMatchObject({ status: 200 });
  });

  it("a turn whose model fails says so, keeps nothing of it, and the same key hears the same", async () => {
    stub.onModel = () => 401;
    onTestFinished(() => {
      stub.onModel = () => undefined;
    });
    const body = paid();
    const refused = await send(body);
    expect(refused).toMatchObject({
      status: 502,
      body: { details: { code: "MODEL_KEY_REFUSED", sessionId: expect.any(String) } },
    });
    stub.onModel = () => undefined;
    expect(await send(body)).toMatchObject({ status: 502, body: { details: { replay: true } } });
    const { sessionId } = refused.body.details;
    expect((await call("GET", `/chat-sessions/${sessionId}`)).body).toMatchObject({
      messageCount: 0,
      version: 0,
    });
    expect(await send({ sessionId, idempotencyKey: newKey(), message: "Again" })).toMatchObject({
      status: 200,
    });
  });
});

describe("the lists", () => {
  it("one's own conversations page by page, and a search over titles and transcripts", async () => {
    now += 1;
    const word = `zebra${newKey().replace(" ", "")}`;
    const { body: titled } = await send(first({ message: `Search for books about ${word}` }));
    await send({
      sessionId: titled.sessionId,
      idempotencyKey: newKey(),
      message: `Search for books about 100%_${word}`,
    });
    const { projectId } = bench.world;
    const page = await call("GET", `/chat-sessions?projectId=${projectId}&limit=1`);
    expect(page.body).toMatchObject({ items: [{ id: titled.sessionId }], nextCursor: expect.any(String) });
    const next = await call("GET", `/chat-sessions?limit=1&before=${page.body.nextCursor}`);
    expect(next.body.items[0].id).not.toBe(titled.sessionId);
    const feed = (query: string, person?: PersonName) =>
      call("GET", `/projects/${projectId}/sessions?${query}`, undefined, person);
    expect((await feed(`q=${word}`)).body).toMatchObject({
      scope: "titles",
      items: [
        {
          id: titled.sessionId,
          sourceType: "direct",
          ownedByViewer: true,
          lockReason: null,
          cumulativeUserMessageCount: 2,
          matchPreview: expect.stringContaining(word),
          link: { path: `/p/${projectId}/playground/${titled.sessionId}` },
        },
      ],
    });
    expect((await feed(`q=${encodeURIComponent(`100%_${word}`)}`)).body.items).toEqual([]);
    const inside = await feed(`q=${encodeURIComponent(`100%_${word}`)}&scope=transcripts`);
    expect(inside.body).toMatchObject({ scope: "transcripts", items: [{ id: titled.sessionId }] });
    expect((await feed(`q=${word}&scope=transcripts`, "owner")).body.items).toEqual([]);
    expect((await feed("sourceType=scenario")).body.items).toEqual([]);
    expect(await feed("scope=titles")).toMatchObject({ status: 400 });
    expect(await feed("sourceType=other")).toMatchObject({ status: 400 });
  });

  it("pinned ones first, however old they are, for whoever pinned them", async () => {
    const { body: old } = await send(first());
    const browser = await signedInBrowser(bench.service, bench.world.people.member.userId);
    await browser.call(`/app/chat-sessions/${old.sessionId}`, {
      method: "PATCH",
      body: { isPinned: true, visibility: "project" },
    });
    now += 1;
    const { body: latest } = await send(first());
    const feed = async (person?: PersonName) =>
      (await call("GET", `/projects/${bench.world.projectId}/sessions?limit=2`, undefined, person)).body
        .items;
    expect(await feed()).toMatchObject([
      { id: old.sessionId, isPinned: true },
      { id: latest.sessionId, isPinned: false },
    ]);
    expect((await feed("owner"))[0]).toMatchObject({ id: old.sessionId, isPinned: false });
  });

  it("shows the repetitions of evals beside them", async () => {
    await bench.service.app.work();
    const suiteId = await bench.suite([
      {
        id: "asks",
        title: "Asks for gnus",
        steps: [{ id: "ask", kind: "prompt", prompt: "Search for books about gnus" }],
      },
    ]);
    const { body } = await bench.call("POST", "/eval-runs", { suiteId });
    await bench.ended(body.runId);
    const feed = await bench.call("GET", "/sessions?sourceType=eval&q=about%20gnus&scope=transcripts");
    expect(feed.body.items).toMatchObject([
      {
        sourceType: "eval",
        title: "Asks for gnus",
        parentRef: { kind: "evalRun", suiteRunId: body.runId, suiteId },
      },
    ]);
    expect(feed.body).not.toHaveProperty("searchedEvals");
    await bench.service.app.pool.query(
      `insert into eval_iterations select (jsonb_populate_record(kept, jsonb_build_object('id', kept.id || '-' || n,
        'ordinal', n, 'iteration_number', n))).* from eval_iterations kept, generate_series(1, 1000) n where run_id = $1`,
      [body.runId],
    );
    // Names of fields and the marks between them are nothing that anybody reads.
    for (const q of ["toolCallId", '"role":', '\\"'].map(encodeURIComponent)) {
      const raw = await bench.call("GET", `/sessions?sourceType=eval&q=${q}&scope=transcripts`);
      expect(raw.body.items, q).toEqual([]);
    }
    const some = await bench.call("GET", "/sessions?q=about%20gnus&scope=transcripts");
    expect(some.body).toMatchObject({ searchedEvals: 1_000 });
  });
});

describe("after a crash", () => {
  it("a turn whose model may have been paid is not made again, and one that never began is", async () => {
    const { body: begun } = await send(paid());
    const { sessionId } = begun;
    const lost = { sessionId, idempotencyKey: newKey(), message: "And the other?" };
    const hang = Promise.withResolvers<undefined>();
    const reached = Promise.withResolvers<void>();
    stub.onCall = () => {
      reached.resolve();
      return hang.promise;
    };
    const dead = send(lost);
    await reached.promise;
    // As its process would leave it: asked of the model, never ended.
    now += 200_000;
    stub.onCall = () => undefined;
    expect(await send(lost)).toMatchObject({ status: 409, body: { details: { code: "TURN_LOST" } } });
    const other = await send({ sessionId, idempotencyKey: newKey(), message: "Somebody there?" });
    expect(other).toMatchObject({ status: 200, body: { persisted: { version: 2 } } });
    hang.resolve(undefined);
    // Who comes back from the dead has lost the conversation, and says so.
    expect(await dead).toMatchObject({ status: 200, body: { persisted: { outcome: "conflict" } } });
    expect((await call("GET", `/chat-sessions/${sessionId}`)).body.version).toBe(2);
  });
});
