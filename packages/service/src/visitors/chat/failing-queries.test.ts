import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type EvalBench, evalBench } from "../../testing/eval-bench.ts";
import { type EvalStub, startEvalStub } from "../../testing/eval-stub.ts";
import { signedInBrowser, type TestBrowser } from "../../testing/index.ts";

let bench: EvalBench;
let stub: EvalStub;
let browser: TestBrowser;
beforeAll(async () => {
  stub = await startEvalStub();
  bench = await evalBench(stub.url, { env: stub.env });
  browser = await signedInBrowser(bench.service, bench.world.people.member.userId);
});
afterAll(async () => {
  fault.place = -1;
  await bench.service.close();
  await stub.close();
});

/** Counts the queries of all connections, and fails one of them as a server that is stopped does. */
const fault = { place: -1, asked: 0 };
const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (this: pg.Client, ...of: unknown[]) {
  fault.asked += 1;
  if (fault.asked !== fault.place) return Reflect.apply(query, this, of);
  const error = Object.assign(new pg.DatabaseError("terminating connection", 0, "error"), { code: "57P01" });
  const done = of.at(-1);
  if (typeof done === "function") return void queueMicrotask(() => done(error));
  return Promise.reject(error);
} as typeof query;
afterAll(() => {
  pg.Client.prototype.query = query;
});

let keys = 0;
const message = () => ({
  projectId: bench.world.projectId,
  idempotencyKey: `key ${++keys}`,
  message: "How many copies of book 7?",
  modelId: stub.model,
  serverIds: [bench.server.id],
  toolMode: "auto",
});
const faces: Record<string, () => Promise<{ status: number; text: string }>> = {
  "the API": async () => {
    const request = { method: "POST", key: bench.world.people.member.key, body: message() };
    const { status, body } = await bench.service.call("/api/v1/chat-sessions/messages", request);
    return { status, text: JSON.stringify(body) };
  },
  "the page": async () => {
    const request = { method: "POST", body: message() };
    const { status, body } = await browser.call("/app/chat-sessions/messages/stream", request);
    return { status, text: typeof body === "string" ? body : JSON.stringify(body) };
  },
};

/** A turn that could not be ended holds its place until its lease is over. */
async function free(): Promise<void> {
  Object.assign(fault, { place: -1 });
  const { pool } = bench.service.app;
  await pool.query("delete from rate_limits");
  await pool.query("update chat_turns set lease_until = to_timestamp(0) where status = 'running'");
  Object.assign(fault, { asked: 0 });
}

it.each(Object.entries(faces))(
  "a query that fails at any stage of a turn is never told to %s",
  async (_, send) => {
    await free();
    expect(await send()).toMatchObject({ status: 200 });
    const queries = fault.asked;
    expect(queries).toBeGreaterThan(20);
    for (let place = 1; place <= queries; place++) {
      await free();
      Object.assign(fault, { place, asked: 0 });
      const { status, text } = await send();
      expect(text, `query ${place}`).not.toMatch(
        /failed query|select |insert |update |params|terminating|org_/i,
      );
      expect([200, 503], `query ${place}: ${text}`).toContain(status);
    }
  },
);
