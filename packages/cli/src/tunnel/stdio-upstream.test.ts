/** @module A process that speaks over its pipes, asked over HTTP: sessions, callers without one, and what neither may do to the other. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { metaKeys, parseTarget, type StdioTarget, statelessEra, stderrHeader } from "@fettle/mcp";
import { hostileCommand, sampleCommand } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { processMark } from "../../../mcp/src/testing/processes.ts";
import { openStdioUpstream, type StdioUpstream } from "./stdio-upstream.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fettle-upstream-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const heard: string[] = [];
async function upstreamOf(input: { command: string; args: string[] }): Promise<{
  upstream: StdioUpstream;
  left(): number[];
}> {
  const mark = processMark();
  const target = parseTarget({ ...input, env: mark.env }) as StdioTarget;
  const upstream = await openStdioUpstream(target, {
    onStderr: (text) => heard.push(text),
    onGarbage: (reason) => heard.push(reason),
    onExit: (failure) => heard.push(failure.message),
  });
  onTestFinished(() => upstream.close());
  await upstream.started();
  return { upstream, left: mark.left };
}

/** A server written for one test. It says no to what callers ask first, unless its script comes before that. */
async function scripted(answer: string, before = "") {
  const file = join(folder, `${Math.random().toString(36).slice(2)}.mjs`);
  await writeFile(
    file,
    `import { createInterface } from "node:readline";
     const say = (value) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...value }) + "\\n");
     let count = 0;
     for await (const line of createInterface({ input: process.stdin })) {
       const message = JSON.parse(line);
       const { id, method, params } = message;
       ${before}
       if (method === "server/discover") say({ id, error: { code: -32601, message: "No" } });
       ${answer}
     }`,
  );
  return upstreamOf({ command: process.execPath, args: [file] });
}

async function ask(upstream: StdioUpstream, request: Asked) {
  const { method = "POST", body, headers = {}, signal = new AbortController().signal } = request;
  const text = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
  const answer = await upstream.request({
    method,
    url: "/",
    headers: { accept: "application/json, text/event-stream", ...headers },
    body: Buffer.from(text),
    signal,
  });
  return { ...answer, headers: Object.fromEntries(answer.headers) };
}

interface Asked {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}
const jsonOf = async (body: AsyncIterable<Uint8Array>) => JSON.parse(await textOf(body));

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
};
const request = (id: number, method: string, params: object = {}) => ({ jsonrpc: "2.0", id, method, params });

describe("a session", () => {
  test("has a process of its own from handshake to goodbye", async () => {
    const { upstream, left } = await upstreamOf(sampleCommand("everything"));
    const sessions = await Promise.all(
      [1, 2].map(async () => {
        const { headers, body } = await ask(upstream, { body: initialize });
        expect((await jsonOf(body)).result.serverInfo.name).toBeTruthy();
        return headers["mcp-session-id"]!;
      }),
    );
    expect(new Set(sessions).size).toBe(2);
    const [first, second] = sessions.map((id) => ({ "mcp-session-id": id }));
    const ready = { jsonrpc: "2.0", method: "notifications/initialized" };
    expect((await ask(upstream, { body: ready, headers: first! })).status).toBe(202);
    const listed = await ask(upstream, { body: request(2, "tools/list"), headers: first! });
    expect((await jsonOf(listed.body)).result.tools.length).toBeGreaterThan(5);
    expect(listed.headers["content-type"]).toBe("application/json");
    const before = left().length;
    expect((await ask(upstream, { method: "DELETE", headers: first! })).status).toBe(204);
    await expect.poll(() => left().length).toBe(before - 1);
    expect((await ask(upstream, { body: request(3, "ping"), headers: first! })).status).toBe(404);
    const alive = await ask(upstream, { body: request(3, "ping"), headers: second! });
    expect(await jsonOf(alive.body)).toEqual({ jsonrpc: "2.0", id: 3, result: {} });
    await upstream.close();
    expect(left()).toEqual([]);
  });

  test("gives way to a ninth when it has been quiet for longest", async () => {
    const { upstream } = await scripted(`if (id !== undefined) say({ id, result: {} });`);
    const ids: string[] = [];
    for (let number = 0; number < 9; number++) {
      const { headers, body } = await ask(upstream, { body: initialize });
      await textOf(body);
      ids.push(headers["mcp-session-id"]!);
    }
    const statuses = [];
    for (const id of ids) {
      const { status } = await ask(upstream, { body: request(2, "ping"), headers: { "mcp-session-id": id } });
      statuses.push(status);
    }
    expect(statuses).toEqual([404, ...Array(8).fill(200)]);
  });

  test("hears what the server says of its own accord on one stream, also what was said before", async () => {
    const { upstream } = await scripted(`
      if (method === "initialize") say({ id, result: {} });
      if (method === "notifications/initialized") say({ method: "notifications/tools/list_changed" });`);
    const { headers } = await ask(upstream, { body: initialize });
    const own = { "mcp-session-id": headers["mcp-session-id"]! };
    await ask(upstream, { body: { jsonrpc: "2.0", method: "notifications/initialized" }, headers: own });
    const leaving = new AbortController();
    const stream = await ask(upstream, { method: "GET", headers: own, signal: leaving.signal });
    expect((await ask(upstream, { method: "GET", headers: own })).status).toBe(409);
    expect(stream.headers["content-type"]).toBe("text/event-stream");
    let said = "";
    for await (const piece of stream.body) {
      said += Buffer.from(piece).toString();
      // The one who listens leaves; the next may listen then.
      if (said.includes("notifications/tools/list_changed")) leaving.abort();
    }
    expect((await ask(upstream, { method: "GET", headers: own })).status).toBe(200);
  });

  test("is told of a server's question on the stream of its own call, and the answer goes back", async () => {
    const { upstream } = await scripted(`
      if (method === "initialize") say({ id, result: {} });
      if (method === "tools/call") say({ id: "q", method: "elicitation/create", params: {} });
      if (id === "q" && message.result) say({ id: 2, result: { got: message.result } });`);
    const { headers } = await ask(upstream, { body: initialize });
    const own = { "mcp-session-id": headers["mcp-session-id"]! };
    const called = await ask(upstream, { body: request(2, "tools/call"), headers: own });
    expect(called.headers["content-type"]).toBe("text/event-stream");
    const answered = await ask(upstream, {
      body: { jsonrpc: "2.0", id: "q", result: { a: 1 } },
      headers: own,
    });
    expect(answered.status).toBe(202);
    const events = (await textOf(called.body)).split("\n").filter((line) => line.startsWith("data: "));
    expect(events.map((line) => JSON.parse(line.slice(6)))).toMatchObject([
      { id: "q", method: "elicitation/create" },
      { id: 2, result: { got: { a: 1 } } },
    ]);
  });
});

describe("callers without a session", () => {
  test("share a process, and each gets its own answer and progress though they chose the same ids", async () => {
    const { upstream } = await scripted(`
      if (method !== "slow") continue;
      const token = params._meta.progressToken;
      const mine = ++count;
      say({ method: "notifications/progress", params: { progressToken: token, progress: mine } });
      setTimeout(() => say({ id, result: { mine } }), 20);`);
    const ask1 = () => ask(upstream, { body: request(7, "slow", { _meta: { progressToken: 7 } }) });
    const texts = await Promise.all((await Promise.all([ask1(), ask1()])).map(({ body }) => textOf(body)));
    const messages = texts.map((text) =>
      text.split("\n").flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6))] : [])),
    );
    for (const [index, [progress, result]] of messages.entries()) {
      expect(progress.params).toEqual({ progressToken: 7, progress: index + 1 });
      expect(result).toEqual({ jsonrpc: "2.0", id: 7, result: { mine: index + 1 } });
    }
  });

  test("hear what the process writes on stderr where they ask for it, and only there", async () => {
    const { upstream } = await scripted(`
      if (method !== "slow") continue;
      process.stderr.write("line of stderr\\n");
      setTimeout(() => say({ id, result: {} }), 50);`);
    const told = async (headers: Record<string, string>) =>
      textOf((await ask(upstream, { body: request(1, "slow"), headers })).body);
    expect(await told({ [stderrHeader]: "1" })).toContain('event: fettle-stderr\ndata: "line of stderr\\n"');
    expect(await told({})).not.toContain("stderr");
  });

  test("who leave are not waited for: the server is told to stop", async () => {
    const { upstream } = await scripted(`
      if (method === "hang") process.stderr.write("hanging\\n");
      if (method === "notifications/cancelled") process.stderr.write("cancelled " + params.requestId + "\\n");`);
    const leaving = new AbortController();
    const asked = ask(upstream, { body: request(9, "hang"), signal: leaving.signal });
    await expect.poll(() => heard.join("")).toContain("hanging");
    leaving.abort();
    await expect(asked).rejects.toThrow("left");
    await expect.poll(() => heard.join("")).toContain("cancelled 9");
  });

  test("get numbers back digit by digit, and a batch as a batch", async () => {
    const { upstream } = await scripted(`
      if (method === "big") process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',"result":{"n":12345678901234567890}}\\n');
      if (Array.isArray(message)) for (const one of message) say({ id: one.id, result: {} });`);
    expect(await textOf((await ask(upstream, { body: request(1, "big") })).body)).toContain(
      "12345678901234567890",
    );
    const pretty = JSON.stringify(request(2, "big"), null, 2);
    expect((await jsonOf((await ask(upstream, { body: pretty })).body)).id).toBe(2);
    const batch = await ask(upstream, { body: [request(1, "a"), request(2, "b")] });
    expect(await jsonOf(batch.body)).toMatchObject([{ id: 1 }, { id: 2 }]);
  });

  test("of a server that ignores or dies of what it does not know are sent on to the older handshake", async () => {
    const answer = `if (method === "initialize") say({ id, result: {} });`;
    const deaf = await scripted(answer, `if (method === "server/discover") continue;`);
    const told = await ask(deaf.upstream, { body: request(1, "server/discover") });
    expect((await jsonOf(told.body)).error.code).toBe(-32601);
    expect((await ask(deaf.upstream, { body: initialize })).status).toBe(200);
    const frail = await scripted(answer, `if (method !== "initialize") process.exit(3);`);
    const refused = await ask(frail.upstream, { body: request(1, "server/discover") });
    expect((await jsonOf(refused.body)).error.code).toBe(-32601);
    expect((await jsonOf((await ask(frail.upstream, { body: initialize })).body)).result).toEqual({});
  });
});

test("what is no request of MCP is refused with the status for it", async () => {
  const { upstream } = await scripted("");
  const refused: [string, Asked, number][] = [
    ["no message", { body: "{" }, 400],
    ["nothing", { body: "" }, 400],
    ["a list of nothing", { body: "[]" }, 400],
    ["a session nobody has", { body: request(1, "ping"), headers: { "mcp-session-id": "x" } }, 404],
    ["listening without a session", { method: "GET" }, 405],
    ["a goodbye without a session", { method: "DELETE" }, 404],
    ["another method", { method: "PUT" }, 405],
    [
      "a revision nobody has",
      { body: request(1, "ping"), headers: { "mcp-protocol-version": "1999-01-01" } },
      400,
    ],
    ["listening in it", { method: "GET", headers: { "mcp-protocol-version": "1999-01-01" } }, 400],
    ["a goodbye in it", { method: "DELETE", headers: { "mcp-protocol-version": "1999-01-01" } }, 400],
  ];
  for (const [what, asked, status] of refused) {
    expect((await ask(upstream, asked)).status, what).toBe(status);
  }
});

test("a request of the stateless era is refused for a server that only shakes hands", async () => {
  const { upstream } = await scripted(`if (method === "tools/list") say({ id, result: { tools: [] } });`);
  const era = statelessEra(() => ({ clientInfo: {}, capabilities: {} }));
  const { params, headers } = era.prepare("tools/list", {});
  const { status, body } = await ask(upstream, { body: { ...request(1, "tools/list"), params }, headers });
  expect([status, (await jsonOf(body)).error.code]).toEqual([400, -32022]);
  expect((await ask(upstream, { body: request(2, "tools/list") })).status).toBe(200);
});

test("what a server of both eras says to a caller of the older one is not held against the newer", async () => {
  const { upstream } = await upstreamOf(sampleCommand("bookshop"));
  const session = await ask(upstream, { body: initialize });
  await textOf(session.body);
  const own = { "mcp-session-id": session.headers["mcp-session-id"]! };
  const older = await ask(upstream, { body: request(1, "server/discover"), headers: own });
  expect((await jsonOf(older.body)).error).toBeDefined();
  const era = statelessEra(() => ({ clientInfo: { name: "t", version: "1" }, capabilities: {} }));
  const { params, headers } = era.prepare("tools/list", {});
  const { status } = await ask(upstream, { body: { ...request(2, "tools/list"), params }, headers });
  expect(status).toBe(200);
});

test("logs of one stateless call are not told to another that asked for none", async () => {
  const { upstream } = await scripted(
    `if (method === "loud") count = id;
     if (method === "quiet") {
       say({ method: "notifications/message", params: { level: "info", data: "working" } });
       say({ id: count, result: {} });
       say({ id, result: {} });
     }`,
    `if (method === "server/discover") { say({ id, result: { supportedVersions: ["2026-07-28"] } }); continue; }`,
  );
  const call = async (id: number, method: string, meta: object) => {
    const era = statelessEra(() => ({ clientInfo: {}, capabilities: {} }));
    const { params, headers } = era.prepare(method, { _meta: meta });
    return textOf((await ask(upstream, { body: { jsonrpc: "2.0", id, method, params }, headers })).body);
  };
  const loud = call(1, "loud", { [metaKeys.logLevel]: "info" });
  expect(await call(2, "quiet", {})).toBe('{"jsonrpc":"2.0","id":2,"result":{}}');
  expect(await loud).toContain("working");
});

test.each(["million-keys", "deep-nesting", "noisy-stdout"])("%s harms nobody else", async (name) => {
  const { upstream } = await upstreamOf(hostileCommand(name));
  const { headers, body } = await ask(upstream, { body: initialize });
  await textOf(body);
  const own = { "mcp-session-id": headers["mcp-session-id"]! };
  const listed = ask(upstream, {
    body: request(2, "tools/list"),
    headers: own,
    signal: AbortSignal.timeout(3_000),
  });
  await listed.then(({ body: answer }) => textOf(answer)).catch(() => {});
  const next = await ask(upstream, { body: initialize });
  expect((await jsonOf(next.body)).result.serverInfo.name).toBe("hostile");
});
