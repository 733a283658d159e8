/**
 * Halves of characters and the zero character, from everyone who may send them: servers, models, reporters, callers. PostgreSQL keeps
 * neither in `jsonb`, and no zero character in a text. Nothing is answered with 500, and everything else of what was said is kept.
 */
import { startHostile } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Log } from "../core/log/log.ts";
import { type EvalBench, evalBench } from "../testing/eval-bench.ts";
import { type EvalStub, startEvalStub } from "../testing/eval-stub.ts";
import { saveServer } from "../testing/eval-suite.ts";
import { silentLog } from "../testing/silent-log.ts";

const odd = "one\ud83dtwo\udc00three\0";

let bench: EvalBench;
let stub: EvalStub;
let odder: { path: string; id: string };
const faults: string[] = [];
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  stub = stack.use(await startEvalStub());
  const error: Log["error"] = (message, fields) => void faults.push(`${message} ${String(fields?.error)}`);
  const log: Log = { ...silentLog, error, child: () => log };
  bench = await evalBench(stub.url, { env: stub.env, log });
  stack.defer(() => bench.service.close());
  const hostile = await startHostile("half-characters");
  stack.defer(() => hostile.close());
  const { id } = await saveServer(bench.world, bench.service.app, hostile.url);
  odder = { id, path: `/servers/${id}` };
  await bench.service.app.work();
});
afterAll(() => stack.disposeAsync());

const post = (path: string, body: object = {}) => bench.call("POST", path, body);
const get = async (path: string) => {
  const { status, body } = await bench.call("GET", path);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
const ended = async (path: string) =>
  vi.waitFor(async () => {
    const body = await get(path);
    expect(body.status).not.toMatch(/pending|queued|running/);
    return body;
  }, 60_000);

describe("a server", () => {
  it.each<[what: string, path: string, body?: object]>([
    ["its tools", "/tools"],
    ["a call", "/tools/call", { toolName: "echo", parameters: { text: "x" } }],
    ["a call that it refuses", "/tools/call", { toolName: "echo", parameters: { text: "refuse" } }],
    ["its resources", "/resources"],
    ["a resource", "/resources/read", { uri: "note://one" }],
    ["its prompts", "/prompts"],
    ["a prompt", "/prompts/get", { promptName: "greet", arguments: {} }],
    ["an examination", "/doctor"],
    ["an export", "/export"],
  ])("says them in %s", async (_, path, body) => {
    const { status, body: said } = await post(odder.path + path, body);
    expect(status, JSON.stringify(said)).toBe(200);
  });

  it("says them in a failure, which is told as the server's", async () => {
    const failed = await post(`${odder.path}/tools/call`, { toolName: "echo", parameters: { text: "fail" } });
    expect(failed, JSON.stringify(failed.body)).toMatchObject({ status: 502, body: { code: "MCP_ERROR" } });
  });

  it("is in the history with all that was asked", async () => {
    const { items } = await get(`${odder.path}/history`);
    const kinds = new Set(items.map(({ kind }: { kind: string }) => kind));
    expect([...kinds].sort()).toEqual(["doctor", "prompt", "resource", "tool"]);
    for (const { id } of items) await get(`${odder.path}/history/${id}`);
  });

  it("is judged and graded to the end", async () => {
    const conformance = await post(`${odder.path}/conformance-runs`, { suites: ["protocol"] });
    expect(conformance.status, JSON.stringify(conformance.body)).toBeLessThan(300);
    const judged = await ended(`/conformance-runs/${conformance.body.runId}`);
    expect(judged.status).toMatch(/completed|passed|failed/);
    const readiness = await post(`${odder.path}/readiness-runs/directory-a`);
    expect(readiness.status, JSON.stringify(readiness.body)).toBeLessThan(300);
    const graded = await ended(`/readiness-runs/${readiness.body.runId ?? readiness.body.id}`);
    expect(graded.status).toMatch(/completed|passed|failed/);
  });

  it("is talked with, by rules and in an eval run", async () => {
    const chat = await bench.service.call("/api/v1/chat-sessions/messages", {
      method: "POST",
      key: bench.world.people.member.key,
      body: {
        projectId: bench.world.projectId,
        idempotencyKey: "odd",
        message: "Echo the text hello",
        modelId: "fettle/rules-1",
        serverIds: [odder.id],
        toolMode: "auto",
      },
    });
    expect(chat.status, JSON.stringify(chat.body)).toBe(200);
    const suiteId = await bench.suite(
      [
        {
          id: "calls",
          steps: [
            { id: "call", kind: "toolCall", serverName: "odd", toolName: "echo", arguments: { text: odd } },
          ],
        } as never,
      ],
      { serverIds: [odder.id as never] },
    );
    const { body } = await post("/eval-runs", { suiteId });
    const run = await bench.ended(body.runId);
    expect(run.summary, JSON.stringify(run)).toMatchObject({ total: 1 });
  });
});

describe("a model", () => {
  it("says them, and calls with them, in a conversation and an eval run", async () => {
    stub.onModel = () => odd;
    stub.onCall = () => odd;
    stub.calledWith = JSON.stringify({ book: 7, [odd]: odd });
    stub.tools[0]!.description = odd;
    const chat = await bench.service.call("/api/v1/chat-sessions/messages", {
      method: "POST",
      key: bench.world.people.member.key,
      body: {
        projectId: bench.world.projectId,
        idempotencyKey: "model",
        message: "How many?",
        modelId: stub.model,
        serverIds: [bench.server.id],
        toolMode: "auto",
      },
    });
    expect(chat.status, JSON.stringify(chat.body)).toBe(200);
    const read = `/api/v1/chat-sessions/${chat.body.sessionId}`;
    expect((await bench.service.call(read, { key: bench.world.people.member.key })).status).toBe(200);
    const suiteId = await bench.suite(
      [{ id: "asks", steps: [{ id: "ask", kind: "prompt", prompt: "How many?" }] } as never],
      { model: stub.model },
    );
    const { body } = await post("/eval-runs", { suiteId });
    const run = await bench.ended(body.runId);
    expect(run.status).toBe("completed");
    const { items } = await get(`/eval-runs/${body.runId}/iterations`);
    expect(items[0].error, JSON.stringify(items)).toBeFalsy();
    await get(`/eval-runs/${body.runId}/iterations/${items[0].id}/trace`);
  });
});

describe("a report", () => {
  it("is refused for a half, as every body is", async () => {
    const report = { suiteName: odd, results: [{ caseTitle: "x", passed: true }] };
    expect(await post("/eval-ingest/report", report)).toMatchObject({
      status: 400,
      body: { details: { reason: "unstorable_text" } },
    });
  });

  const zero = "one\0two";
  const won = { caseTitle: "x", passed: true };
  it("keeps all around a zero character in what a test or its trace said", async () => {
    const { status, body } = await post("/eval-ingest/report", {
      suiteName: "Zeros",
      results: [
        {
          ...won,
          passed: false,
          error: zero,
          query: zero,
          errorDetails: { [zero]: zero },
          actualToolCalls: [{ toolName: "x", arguments: { [zero]: zero } }],
          trace: { messages: [{ role: "user", content: zero }], spans: [] },
        },
      ],
    });
    expect(status, JSON.stringify(body)).toBe(200);
    const { items } = await get(`/eval-runs/${body.runId}/iterations`);
    expect(items[0].error).toBe("one\ufffdtwo");
  });

  it.each<[at: string, report: object]>([
    ["body.suiteName", { suiteName: zero, results: [won] }],
    ["body.suiteDescription", { suiteName: "Z", suiteDescription: zero, results: [won] }],
    ["body.tags.0", { suiteName: "Z", tags: [zero], results: [won] }],
    ["body.notes", { suiteName: "Z", notes: zero, results: [won] }],
    ["body.framework", { suiteName: "Z", framework: zero, results: [won] }],
    ["body.ci.branch", { suiteName: "Z", ci: { branch: zero }, results: [won] }],
    ["body.results.0.caseTitle", { suiteName: "Z", results: [{ ...won, caseTitle: zero }] }],
  ])("is refused for one in %s, with its path", async (at, report) => {
    const { status, body } = await post("/eval-ingest/report", report);
    expect([status, body.details.path], JSON.stringify(body)).toEqual([400, at]);
  });
});

it("nothing of it was a fault of ours", () => {
  expect(faults).toEqual([]);
});
