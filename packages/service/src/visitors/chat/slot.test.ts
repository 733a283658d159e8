import { limits } from "@fettle/contract/core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type EvalBench, evalBench } from "../../testing/eval-bench.ts";
import { type EvalStub, startEvalStub } from "../../testing/eval-stub.ts";
import { signedInBrowser, type TestBrowser } from "../../testing/index.ts";

const atOnce = limits.chat.concurrentTurnsPerOrganization;

let bench: EvalBench;
let stub: EvalStub;
let browser: TestBrowser;
beforeAll(async () => {
  stub = await startEvalStub();
  bench = await evalBench(stub.url, { env: stub.env });
  browser = await signedInBrowser(bench.service, bench.world.people.member.userId);
});
afterAll(async () => {
  await bench.service.close();
  await stub.close();
});

let keys = 0;
const first = (over: object = {}) => ({
  projectId: bench.world.projectId,
  idempotencyKey: `key ${++keys}`,
  message: `How many copies of book ${keys}?`,
  modelId: stub.model,
  serverIds: [bench.server.id],
  toolMode: "auto",
  ...over,
});
const asking = () =>
  browser.call("/app/chat-sessions/messages/stream", {
    method: "POST",
    body: first({ askBeforeCalls: true }),
  });
const read = async (path: string) =>
  (await bench.service.call(`/api/v1${path}`, { method: "GET", key: bench.world.people.member.key })).body;

interface Listed {
  id: string;
  title: string;
  turnState: string | null;
}
const listed = async (): Promise<Listed[]> =>
  (await read(`/projects/${bench.world.projectId}/sessions?sourceType=direct`)).items;
const waiting = async () => (await listed()).filter(({ turnState }) => turnState === "waiting");

async function allow(sessionId: string) {
  const { runningTurnId } = await read(`/chat-sessions/${sessionId}`);
  const { turns } = await read(`/chat-sessions/${sessionId}/trace?turnId=${runningTurnId}`);
  const body = { toolCallId: turns[0].pendingCalls[0].toolCallId, allow: true };
  const path = `/app/chat-sessions/${sessionId}/turns/${runningTurnId}/decisions`;
  expect(await browser.call(path, { method: "POST", body })).toMatchObject({ status: 200 });
}

it("turns that wait for a person keep nobody from working, are found in the lists, and work again a few at a time", async () => {
  const streams: ReturnType<typeof asking>[] = [];
  for (let count = 1; count <= atOnce + 1; count++) {
    streams.push(asking());
    await expect.poll(async () => (await waiting()).length).toBe(count);
  }
  expect((await waiting()).map(({ title }) => title)).toContain("How many copies of book 1?");
  const own = (await read(`/chat-sessions?projectId=${bench.world.projectId}`)).items as Listed[];
  expect(own.filter(({ turnState }) => turnState === "waiting")).toHaveLength(atOnce + 1);

  const key = bench.world.people.member.key;
  const meanwhile = { method: "POST", key, body: first() };
  expect(await bench.service.call("/api/v1/chat-sessions/messages", meanwhile)).toMatchObject({
    status: 200,
  });

  const held: (() => void)[] = [];
  stub.onCall = () => new Promise((resolve) => held.push(() => resolve(undefined)));
  for (const { id } of await waiting()) await allow(id);
  await expect.poll(() => held.length, { timeout: 60_000 }).toBe(atOnce);
  const refused = await bench.service.call("/api/v1/chat-sessions/messages", { ...meanwhile, body: first() });
  expect(refused).toMatchObject({ status: 429, body: { details: { code: "TOO_MANY_TURNS" } } });
  expect(held).toHaveLength(atOnce);
  held[0]!();
  await expect.poll(() => held.length, { timeout: 60_000 }).toBe(atOnce + 1);
  stub.onCall = () => undefined;
  for (const release of held) release();
  for (const { status, body } of await Promise.all(streams)) {
    expect([status, body]).toEqual([200, expect.stringContaining("Four copies.")]);
  }
  expect(await waiting()).toEqual([]);
});
