import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBookshop } from "@fettle/samples";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type EvalBench, evalBench } from "../../testing/eval-bench.ts";
import { signedInBrowser, type TestBrowser } from "../../testing/index.ts";

let bench: EvalBench;
let browser: TestBrowser;
let shop: Awaited<ReturnType<typeof startBookshop>>;
let teller: Awaited<ReturnType<typeof startTeller>>;
beforeAll(async () => {
  shop = await startBookshop();
  teller = await startTeller();
  bench = await evalBench(shop.url, { env: teller.env });
  browser = await signedInBrowser(bench.service, bench.world.people.member.userId);
});
afterAll(async () => {
  await bench.service.close();
  await shop.close();
  await teller.close();
});

/** A model that begins a story, and goes on when `rest` says so. */
async function startTeller() {
  const rest = Promise.withResolvers<void>();
  const chunk = (content: string, finish: string | null = null) =>
    `data: ${JSON.stringify({ id: "1", choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`;
  const server = createServer(async (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(chunk("Once upon "));
    await rest.promise;
    response.end(`${chunk("a time.", "stop")}data: [DONE]\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const folder = mkdtempSync(join(tmpdir(), "fettle-teller-"));
  const config = join(folder, "fettle.yaml");
  writeFileSync(
    config,
    `models: { providers: { custom: { slow: { baseUrl: "${baseUrl}", apiKey: none } } } }\n`,
  );
  const close = () => {
    rmSync(folder, { recursive: true, force: true });
    return new Promise((resolve) => server.close(resolve).closeAllConnections());
  };
  return { rest, env: { FETTLE_CONFIG: config }, close };
}

let keys = 0;
const first = (over: object = {}) => ({
  projectId: bench.world.projectId,
  idempotencyKey: `key ${++keys}`,
  message: "Search for books about planets",
  modelId: "fettle/rules-1",
  serverIds: [bench.server.id],
  ...over,
});

interface Heard {
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was told
  data: any;
}

/** Everything that a page hears of one turn. */
async function stream(body: object): Promise<Heard[]> {
  const answer = await browser.call("/app/chat-sessions/messages/stream", { method: "POST", body });
  expect(answer.status, answer.body).toBe(200);
  return [...answer.body.matchAll(/event: (.+)\ndata: (.+)\n/g)].map(([, event, data]) => ({
    event: event!,
    data: JSON.parse(data!),
  }));
}

const on = (sessionId: string, path = "") => `/app/chat-sessions/${sessionId}${path}`;
const detail = async (sessionId: string) =>
  (
    await bench.service.call(`/api/v1/chat-sessions/${sessionId}`, {
      method: "GET",
      key: bench.world.people.member.key,
    })
  ).body;
const trace = async (sessionId: string, query = "") =>
  (
    await bench.service.call(`/api/v1/chat-sessions/${sessionId}/trace${query}`, {
      method: "GET",
      key: bench.world.people.member.key,
    })
  ).body;

/** The conversation that a turn is under way in, as another page would find it. */
async function running(): Promise<{ sessionId: string; turnId: string }> {
  let found: { session_id: string; id: string } | undefined;
  await expect
    .poll(async () => {
      const { rows } = await bench.service.app.pool.query(
        "SELECT session_id, id FROM chat_turns WHERE status = 'running' AND pending::text <> '[]'",
      );
      found = rows[0];
      return rows.length;
    })
    .toBe(1);
  return { sessionId: found!.session_id, turnId: found!.id };
}

it("is told as it comes: begun, what is called and what came of it, the words, the end", async () => {
  const heard = await stream(first());
  expect(heard.map(({ event }) => event)).toEqual(
    expect.arrayContaining(["began", "step", "tool-start", "tool-end", "text", "done"]),
  );
  expect(heard[0]).toMatchObject({ event: "began", data: { sessionId: expect.any(String) } });
  const text = heard.flatMap(({ event, data }) => (event === "text" ? [data.text] : [])).join("");
  expect(heard.at(-1)).toMatchObject({ event: "done", data: { reply: text, origin: "playground" } });
});

it("waits for a person before each call, who may say no", async () => {
  const asked = stream(first({ askBeforeCalls: true }));
  const { sessionId, turnId } = await running();
  expect(await trace(sessionId, `?turnId=${turnId}`)).toMatchObject({
    turns: [{ status: "running", pendingCalls: [{ toolName: "search_books" }] }],
  });
  const [pending] = (await trace(sessionId, `?turnId=${turnId}`)).turns[0].pendingCalls;
  const said = { toolCallId: pending.toolCallId, allow: false };
  expect(
    await browser.call(on(sessionId, `/turns/${turnId}/decisions`), { method: "POST", body: said }),
  ).toMatchObject({ status: 200, body: { isRunning: true } });
  const heard = await asked;
  expect(heard).toContainEqual({ event: "decided", data: { toolCallId: said.toolCallId, allow: false } });
  expect(heard.at(-1)).toMatchObject({
    event: "done",
    data: { toolCalls: [{ status: "error", errorMessage: "It was not allowed, so it was not made." }] },
  });
});

it("tells whoever opens the conversation what is being answered, and asks nobody twice", async () => {
  const asked = stream(
    first({ askBeforeCalls: true, message: "Search for books about planets and list all orders" }),
  );
  const { sessionId, turnId } = await running();
  const now = async () => (await trace(sessionId, `?turnId=${turnId}`)).turns[0];
  const { message, pendingCalls } = await now();
  expect(message).toBe("Search for books about planets and list all orders");
  const decide = (toolCallId: string) =>
    browser.call(on(sessionId, `/turns/${turnId}/decisions`), {
      method: "POST",
      body: { toolCallId, allow: true },
    });
  await decide(pendingCalls[0].toolCallId);
  const left = ((await now()).pendingCalls ?? []) as { toolCallId: string }[];
  expect(left.map(({ toolCallId }) => toolCallId)).not.toContain(pendingCalls[0].toolCallId);
  await browser.call(on(sessionId, `/turns/${turnId}/stop`), { method: "POST" });
  await asked;
  expect((await now()).message).toBeUndefined();
});

it("tells whoever opens the conversation the words that were said so far, and no more of it once it is kept", async () => {
  const asked = stream(first({ modelId: "custom:slow:teller", message: "Tell me a story" }));
  let found: { session_id: string; id: string } | undefined;
  const told = async () => {
    const { rows } = await bench.service.app.pool.query(
      "SELECT session_id, id FROM chat_turns WHERE status = 'running' AND message = 'Tell me a story'",
    );
    found = rows[0];
    return found && (await trace(found.session_id, `?turnId=${found.id}`)).turns[0].told;
  };
  await expect.poll(told).toEqual([{ event: "text", data: { step: 0, text: "Once upon " } }]);
  teller.rest.resolve();
  expect((await asked).at(-1)).toMatchObject({ event: "done", data: { reply: "Once upon a time." } });
  expect((await trace(found!.session_id)).turns[0]).not.toHaveProperty("told");
});

it("keeps the messages of each call as they were on the wire", async () => {
  const { sessionId, turnId, toolCalls } = (await stream(first())).at(-1)!.data;
  const [{ toolCallId, input, output }] = toolCalls;
  const wire = await browser.call(on(sessionId, `/turns/${turnId}/wire`), { method: "GET" });
  expect(wire).toMatchObject({
    status: 200,
    body: {
      turnId,
      calls: [
        {
          toolCallId,
          messages: [
            { direction: "send", message: { method: "tools/call", params: { name: "search_books" } } },
            { direction: "receive", message: { jsonrpc: "2.0", result: output } },
          ],
        },
      ],
    },
  });
  const [sent, received] = wire.body.calls[0].messages;
  expect(sent.message.params.arguments).toEqual(input);
  expect(received.message.id).toBe(sent.message.id);
  const owner = await signedInBrowser(bench.service, bench.world.people.owner.userId);
  expect(await owner.call(on(sessionId, `/turns/${turnId}/wire`), { method: "GET" })).toMatchObject({
    status: 404,
  });
});

it("is stopped, keeps what it has come to, and goes on with the next message", async () => {
  const asked = stream(first({ askBeforeCalls: true }));
  const { sessionId, turnId } = await running();
  await browser.call(on(sessionId, `/turns/${turnId}/stop`), { method: "POST" });
  expect((await asked).at(-1)).toMatchObject({ event: "done", data: { stop: "cancelled" } });
  expect(await detail(sessionId)).toMatchObject({ runningTurnId: null, version: 1 });
  const more = await stream({ sessionId, idempotencyKey: "more", message: "Search for books about rivers" });
  expect(more.at(-1)).toMatchObject({ event: "done", data: { persisted: { version: 2 } } });
});

it("is branched before a message, and the first conversation stays as it is", async () => {
  const done = (await stream(first())).at(-1)!.data;
  const { sessionId } = done;
  const second = (
    await stream({ sessionId, idempotencyKey: "second", message: "Search for books about rivers" })
  ).at(-1)!.data;
  const branch = await browser.call(on(sessionId, "/branch"), {
    method: "POST",
    body: { beforeTurnId: second.turnId },
  });
  expect(branch).toMatchObject({ status: 201, body: { messageCount: 4 } });
  const other = branch.body.id;
  await stream({ sessionId: other, idempotencyKey: "other", message: "Search for books about lamps" });
  expect(await detail(other)).toMatchObject({ version: 2, messageCount: 8 });
  expect((await trace(other, "?limit=20")).turns).toHaveLength(2);
  expect((await detail(sessionId)).messages.at(4)).toMatchObject({
    content: "Search for books about rivers",
  });
});

it("is named, put away and deleted by its owner alone", async () => {
  const { sessionId } = (await stream(first())).at(-1)!.data;
  const change = { title: "Planets", isPinned: true, status: "archived" };
  expect(await browser.call(on(sessionId), { method: "PATCH", body: change })).toMatchObject({
    status: 200,
    body: change,
  });
  const owner = await signedInBrowser(bench.service, bench.world.people.owner.userId);
  expect(await owner.call(on(sessionId), { method: "DELETE" })).toMatchObject({ status: 404 });
  expect(await browser.call(on(sessionId), { method: "DELETE" })).toMatchObject({ status: 200 });
  expect(await browser.call(on(sessionId), { method: "DELETE" })).toMatchObject({ status: 404 });
});
