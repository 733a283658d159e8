/** @module `cloud sessions`, against the real service with the sample's bookshop. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CloudService, startCloudService } from "../../../testing/cloud-service.ts";

let service: CloudService;
beforeAll(async () => {
  service = await startCloudService();
});
afterAll(() => service?.stop());

const sessions = (...argv: string[]) => service.cloud(["sessions", ...argv]);
let keys = 0;
const begin = (...argv: string[]) =>
  sessions(
    ...["send", "--server", "Bookshop", "--model", "fettle/rules-1", "--message", "List my orders"],
    ...["--idempotency-key", `k${++keys}`, ...argv],
  );

describe("send", () => {
  test("prints the reply, the raw calls with how long each took, and the tokens; and goes on by sessionId", async () => {
    const first = await begin();
    expect(first).toMatchObject({
      exitCode: 0,
      body: {
        sessionId: expect.any(String),
        reply: expect.any(String),
        toolCalls: [{ toolName: "list_orders", status: "ok", durationMs: expect.any(Number), output: {} }],
        usage: { totalTokens: expect.any(Number) },
        toolMode: "read_only",
        persisted: { outcome: "saved", version: 1 },
      },
    });
    const { sessionId } = first.body;
    const more = await sessions(
      ...[
        "send",
        "--session",
        sessionId,
        "--message",
        "Search for books about rain",
        "--idempotency-key",
        "more",
      ],
    );
    expect(more).toMatchObject({ exitCode: 0, body: { sessionId, persisted: { version: 2 } } });
    const again = await sessions(
      ...[
        "send",
        "--session",
        sessionId,
        "--message",
        "Search for books about rain",
        "--idempotency-key",
        "more",
      ],
    );
    expect(again.body).toMatchObject({ replay: true, turnId: more.body.turnId, reply: more.body.reply });
  });

  test.each([
    ["--model", "fettle/rules-1"],
    ["--environment", "x"],
    ["--server", "Bookshop"],
    ["--system-prompt", "x"],
    ["--tool-mode", "auto"],
  ])("%s with --session is refused before any request", async (flag, value) => {
    const argv = ["send", "--session", "cht_1", "--message", "Hi", "--idempotency-key", "k", flag, value];
    const refused = await service.cloud(["sessions", ...argv], {
      env: { FETTLE_API_URL: "http://127.0.0.1:9" },
    });
    expect(refused).toMatchObject({
      exitCode: 2,
      body: { message: expect.stringContaining(flag) },
    });
  });

  test.each<[string, string[]]>([
    ["without a key", ["--message", "Hi", "--server", "Bookshop", "--model", "fettle/rules-1"]],
    ["without anything to speak to", ["--message", "Hi", "--idempotency-key", "k"]],
    ["without a model", ["--message", "Hi", "--idempotency-key", "k", "--server", "Bookshop"]],
    [
      "a blank temperature",
      ["--message", "Hi", "--idempotency-key", "k", "--session", "x", "--temperature", ""],
    ],
  ])("%s: a usage error", async (_, argv) => {
    expect(await sessions("send", ...argv)).toMatchObject({ exitCode: 2 });
  });
});

test("show has absolute positions, trace the latest turn alone unless more are asked for", async () => {
  const { body: first } = await begin();
  const session = ["--session", first.sessionId];
  await sessions("send", ...session, "--message", "Search for books about rain", "--idempotency-key", "x");
  const { body: window } = await sessions("show", ...session, "--after-message", "3", "--limit", "2");
  expect(window.messages.map(({ index }: { index: number }) => index)).toEqual([4, 5]);
  expect(window).toMatchObject({ messageCount: 8, nextMessageIndex: 6 });
  const { body: latest } = await sessions("trace", ...session);
  expect(latest).toMatchObject({ turnCount: 2, turns: [{ promptIndex: 1, spans: expect.any(Array) }] });
  const { body: all } = await sessions("trace", ...session, "--after-turn=-1", "--limit", "20", "--no-spans");
  expect(all.turns.map(({ promptIndex }: { promptIndex: number }) => promptIndex)).toEqual([0, 1]);
  expect(all.turns[0]).not.toHaveProperty("spans");
  expect(await sessions("trace", ...session, "--turn", first.turnId, "--after-turn", "0")).toMatchObject({
    exitCode: 2,
  });
});

test("what cannot be read is said to be so: no count of 0, no empty list of spans", async () => {
  const { sessionId, turnId } = (await begin()).body;
  const session = ["--session", sessionId];
  await service.sql(`update chat_turns set spans = null where id = '${turnId}'`);
  const { body: trace } = await sessions("trace", ...session);
  expect(trace.turns).toMatchObject([{ turnId, spansUnavailable: true }]);
  expect(trace.turns[0]).not.toHaveProperty("spans");
  const told = await sessions("trace", ...session, "--format", "human");
  expect([told.exitCode, told.stdout]).toEqual([0, expect.stringMatching(/cannot be read/)]);
  await service.sql(`delete from chat_messages where session_id = '${sessionId}' and index = 1`);
  const { body: shown } = await sessions("show", ...session);
  expect(shown).toMatchObject({ messageCount: null, transcriptUnavailable: true });
  const human = await sessions("show", ...session, "--format", "human");
  expect([human.exitCode, human.stdout]).toEqual([0, expect.stringMatching(/cannot be read/)]);
});

test("read_only offers what says that it only reads, and auto offers everything", async () => {
  const careful = (await begin()).body;
  const free = (await begin("--tool-mode", "auto")).body;
  expect([careful.toolMode, free.toolMode]).toEqual(["read_only", "auto"]);
  expect(careful.excludedToolCount).toBeGreaterThan(0);
  expect([free.excludedToolCount, free.advertisedToolCount]).toEqual([
    0,
    careful.advertisedToolCount + careful.excludedToolCount,
  ]);
});

test("list, search, and a case made of a conversation that passes", async () => {
  const { body } = await begin();
  expect((await sessions("list", "--limit", "200")).body.items).toContainEqual(
    expect.objectContaining({ id: body.sessionId }),
  );
  expect(await sessions("list", "--all-projects", "--project", "x")).toMatchObject({ exitCode: 2 });
  expect((await sessions("search", "--query", "orders")).body.items[0]).toMatchObject({
    sourceType: "direct",
  });
  const tests = [{ title: "One", steps: [{ id: "ask", kind: "prompt", prompt: "List my orders" }] }];
  const suite = ["--name", "Promoted", "--server", "Bookshop", "--model", "fettle/rules-1"];
  suite.push("--json", JSON.stringify({ tests }));
  expect(await service.cloud(["eval", "create", ...suite])).toMatchObject({ exitCode: 0 });
  const made = await sessions("promote", "--session", body.sessionId, "--suite", "Promoted");
  expect(made).toMatchObject({
    exitCode: 0,
    body: {
      case: { title: "List my orders", advancedConfig: { toolMode: "read_only" } },
      messages: 1,
      calls: 1,
      warnings: [],
    },
  });
  const run = await service.cloud(["eval", "run", "--suite", "Promoted", "--wait"]);
  expect(run, JSON.stringify(run.body)).toMatchObject({ exitCode: 0 });
  const other = ["--session", (await begin()).body.sessionId];
  const narrowed = ["--message", "List them again", "--max-steps", "3", "--idempotency-key", "narrowed"];
  await sessions("send", ...other, ...narrowed);
  const told = await sessions("promote", ...other, "--suite", "Promoted", "--format", "human");
  expect([told.exitCode, told.stdout]).toEqual([0, expect.stringMatching(/allowed less.*maxSteps/)]);
});
