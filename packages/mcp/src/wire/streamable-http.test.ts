import { startEverything } from "@fettle/samples";
import { expect, test } from "vitest";
import type { JsonObject } from "../messages/jsonrpc.ts";
import { connect } from "../session/connect.ts";
import { parseTarget } from "../target.ts";
import { type Handler, json, serve } from "../testing/http-server.ts";
import { writeStderrEvent } from "./relayed-stderr.ts";

type Call = { id?: number; method: string; params?: JsonObject };

/** A stateful endpoint whose tool calls are answered by `onCall`. */
function endpoint(
  onCall: (call: Call, ...rest: Parameters<Handler>) => void,
  onGet?: Handler,
  session?: () => string,
) {
  return serve((request, response, body) => {
    if (request.method === "GET" && onGet) return onGet(request, response, body);
    if (request.method !== "POST") return void response.writeHead(405).end();
    const call = JSON.parse(body) as Call;
    const { id, method } = call;
    const expected = session?.();
    const headers = expected === undefined ? {} : { "mcp-session-id": expected };
    if (method === "server/discover")
      return json(response, { jsonrpc: "2.0", id, error: { code: -32601, message: "?" } });
    if (method === "initialize") {
      const result = {
        protocolVersion: "2025-11-25",
        capabilities: {},
        serverInfo: { name: "t", version: "1" },
      };
      return json(response, { jsonrpc: "2.0", id, result }, 200, headers);
    }
    if (expected !== undefined && request.headers["mcp-session-id"] !== expected)
      return void response.writeHead(404).end();
    if (id === undefined) return void response.writeHead(202).end();
    onCall(call, request, response, body);
  });
}

const result = (id: number | undefined, text: string) => ({
  jsonrpc: "2.0",
  id,
  result: { content: [{ type: "text", text }] },
});

test("a lost session is renewed once and the call repeated", async () => {
  let session = "one";
  await using server = await endpoint(
    ({ id }, _request, response) => json(response, result(id, session)),
    undefined,
    () => session,
  );
  await using connection = await connect(parseTarget({ url: server.origin }));
  session = "two";
  const [first, second] = await Promise.all([connection.callTool("a"), connection.callTool("b")]);
  expect([first, second]).toMatchObject([{ content: [{ text: "two" }] }, { content: [{ text: "two" }] }]);
  const handshakes = server.requests.filter((request) => request.body.includes('"initialize"'));
  expect(handshakes).toHaveLength(2);
  await connection.close();
  expect(server.requests.at(-1)).toMatchObject({ method: "DELETE", headers: { "mcp-session-id": "two" } });
});

test("a stream cut before its answer is resumed after its last event", async () => {
  await using server = await endpoint(
    (_call, _request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end("id: 41\nretry: 10\ndata:\n\n");
    },
    (request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const answered = request.headers["last-event-id"] === "41";
      response.end(answered ? `id: 42\ndata: ${JSON.stringify(result(3, "resumed"))}\n\n` : "");
    },
  );
  await using connection = await connect(parseTarget({ url: server.origin }));
  expect(await connection.callTool("a")).toMatchObject({ content: [{ text: "resumed" }] });
  await connection.close();
});

test("the official fixture's cut stream is resumed too", async () => {
  const server = await startEverything();
  await using connection = await connect(parseTarget({ url: server.url }), { protocolVersion: "2025-11-25" });
  expect((await connection.callTool("test_reconnection")).content).toBeInstanceOf(Array);
  await connection.close();
  await server.close();
});

test("a stream that ends without the answer and cannot be resumed is no answer", async () => {
  await using server = await endpoint((_call, _request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(': nothing\n\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n');
  });
  await using connection = await connect(parseTarget({ url: server.origin }));
  await expect(connection.callTool("a")).rejects.toMatchObject({ code: "NO_ANSWER" });
  await connection.close();
});

test("a stream left open after its answer does not hold the call or the connection", async () => {
  await using server = await endpoint(({ id }, _request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`data: ${JSON.stringify(result(id, "done"))}\n\n`);
  });
  await using connection = await connect(parseTarget({ url: server.origin }));
  const started = performance.now();
  expect(await connection.callTool("a")).toMatchObject({ content: [{ text: "done" }] });
  await connection.close();
  expect(performance.now() - started).toBeLessThan(15_000);
});

test("many calls at once each get their own answer", async () => {
  await using server = await endpoint(({ id, params }, _request, response) => {
    setTimeout(() => json(response, result(id, String(params?.name))), Math.random() * 20);
  });
  await using connection = await connect(parseTarget({ url: server.origin }));
  const names = Array.from({ length: 50 }, (_, at) => `t${at}`);
  const answers = await Promise.all(names.map((name) => connection.callTool(name)));
  expect(answers.map((answer) => (answer.content as { text: string }[])[0]!.text)).toEqual(names);
  await connection.close();
});

test("a demand for credentials is answered once for calls that fail together", async () => {
  let asked = 0;
  let token = "old";
  await using server = await endpoint(({ id }, request, response) => {
    if (request.headers.authorization === `Bearer ${token}`) return json(response, result(id, "in"));
    response.writeHead(401, { "www-authenticate": 'Bearer scope="x"' }).end();
  });
  await using connection = await connect(parseTarget({ url: server.origin, accessToken: "old" }), {
    authorize: async ({ challenge }) => {
      asked++;
      expect(challenge).toEqual({ scope: "x" });
      return { authorization: `Bearer ${token}` };
    },
  });
  token = "new-token";
  await Promise.all([connection.callTool("a"), connection.callTool("b"), connection.callTool("c")]);
  expect(asked).toBe(1);
  token = "never-granted";
  const refusing = connect(parseTarget({ url: server.origin }), { authorize: async () => undefined });
  await expect((await refusing).callTool("a")).rejects.toMatchObject({
    code: "AUTH_REQUIRED",
    details: { credentialSent: false },
  });
  await connection.close();
});

test("the version header comes after the handshake, and only where the revision has it", async () => {
  await using server = await endpoint(({ id }, _request, response) => json(response, result(id, "ok")));
  const connection = await connect(parseTarget({ url: server.origin }), { protocolVersion: "2025-11-25" });
  await connection.callTool("a");
  await connection.close();
  const versions = server.requests.map(({ method, headers }) => [method, headers["mcp-protocol-version"]]);
  expect(versions).toEqual([
    ["POST", undefined],
    ["POST", "2025-11-25"],
    ["POST", "2025-11-25"],
  ]);
});

/** A stateless endpoint that turns the first requests away. */
function busyAtFirst(times: number, retryAfter: string | undefined) {
  let turnedAway = 0;
  return serve((_request, response, body) => {
    const { id, method } = JSON.parse(body) as Call;
    if (turnedAway++ < times)
      return void response
        .writeHead(429, retryAfter === undefined ? {} : { "retry-after": retryAfter })
        .end();
    const opening = {
      supportedVersions: ["2026-07-28"],
      capabilities: {},
      serverInfo: { name: "t", version: "1" },
    };
    const answer = method === "server/discover" ? { ...opening, resultType: "complete" } : { content: [] };
    json(response, { jsonrpc: "2.0", id, result: answer });
  });
}

test("a request that is turned away for a moment comes back by itself, and says nothing about the era", async () => {
  await using server = await busyAtFirst(2, "0");
  await using connection = await connect(parseTarget({ url: server.origin }));
  expect(connection.protocolVersion).toBe("2026-07-28");
  expect(server.requests.map(({ body }) => JSON.parse(body).method)).toEqual(
    Array(3).fill("server/discover"),
  );
});

test.each([
  ["without a word when to come back", undefined],
  ["for longer than one would wait unasked", "3600"],
])("being turned away %s is told at once, not taken for an old server", async (_, retryAfter) => {
  await using server = await busyAtFirst(1, retryAfter);
  await expect(connect(parseTarget({ url: server.origin }))).rejects.toMatchObject({
    code: "HTTP_STATUS",
    details: { status: 429 },
  });
  expect(server.requests).toHaveLength(1);
});

test("what a process behind a tunnel wrote on stderr is recorded as that, and no message is taken from it", async () => {
  await using server = await endpoint(({ id }, _request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(writeStderrEvent("two\nlines"));
    response.end(`event: message\ndata: ${JSON.stringify(result(id, "done"))}\n\n`);
  });
  await using connection = await connect(parseTarget({ url: server.origin }));
  await connection.callTool("a");
  expect(connection.recorder.read().entries.filter(({ kind }) => kind === "stderr")).toMatchObject([
    { text: "two\nlines" },
  ]);
  expect(connection.problems).toEqual([]);
});

test("an event that is no message is recorded as such, with its text", async () => {
  await using server = await endpoint((_call, _request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end('data: {"jsonrpc": "2.0", "odd"\n\n');
  });
  await using connection = await connect(parseTarget({ url: server.origin }));
  await expect(connection.callTool("a")).rejects.toThrow("not a JSON-RPC message");
  const { entries } = connection.recorder.read();
  const odd = entries.filter((entry) => JSON.stringify(entry).includes("odd"));
  expect(odd).toMatchObject([{ malformed: expect.any(String) }]);
});
