/** What a server says over stdio without naming a request of ours: nothing is guessed, and nobody's question is answered for them. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { connect } from "../session/connect.ts";
import type { Connection } from "../session/connection.ts";
import { parseTarget } from "../target.ts";

/** A stdio server that answers `initialize` and runs `body` for everything else that comes. */
async function against(body: string): Promise<Connection> {
  const script = `
    const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
    const done = (id, text) => say({ id, result: { content: [{ type: "text", text }] } });
    const open = [];
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method, params, result } = JSON.parse(line);
      if (method === "initialize") return say({ id, result: {
        protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } } });
      ${body}
    }).on("close", () => process.exit());`;
  const target = parseTarget({ command: process.execPath, args: ["-e", script] });
  const connection = await connect(target, {
    protocolVersion: "2025-11-25",
    capabilities: { elicitation: { form: {} } },
    timeouts: { connectMs: 30_000, idleMs: 30_000, totalMs: 30_000 },
  });
  onTestFinished(() => connection.close());
  return connection;
}

/** Asks once both calls are open, and answers both with what it was told. */
const asksForBoth = `
  if (method === "tools/call") {
    open.push(id);
    if (open.length === 2) say({ id: "q", method: "elicitation/create", params: { message: "Which?", requestedSchema: { type: "object", properties: {} } } });
  }
  if (id === "q" && result) for (const each of open) done(each, result.action);`;

test("a question while two calls are open is put to both, and the first answer is the only one", async () => {
  const connection = await against(asksForBoth);
  const heard: { by: string; candidates: unknown }[] = [];
  const withdrawn = Promise.withResolvers<string>();
  const handlers = (by: string, answer?: object) => ({
    elicitation: async (_: object, { candidates, signal }: { candidates?: unknown; signal: AbortSignal }) => {
      heard.push({ by, candidates });
      if (answer) return { ...answer };
      return new Promise<never>((_, reject) =>
        signal.addEventListener("abort", () => {
          withdrawn.resolve(by);
          reject(signal.reason);
        }),
      );
    },
  });
  const [first, second] = await Promise.all([
    connection.callTool("first", {}, { handlers: handlers("first") }),
    connection.callTool("second", {}, { handlers: handlers("second", { action: "accept" }) }),
  ]);
  const candidates = [
    { method: "tools/call", name: "first" },
    { method: "tools/call", name: "second" },
  ];
  expect(heard).toEqual([
    { by: "first", candidates },
    { by: "second", candidates },
  ]);
  expect(await withdrawn.promise).toBe("first");
  expect([first.content, second.content]).toEqual([
    [{ type: "text", text: "accept" }],
    [{ type: "text", text: "accept" }],
  ]);
  expect(connection.refusals).toEqual([]);
});

test("a call that brings a person is asked, also beside one that brings none", async () => {
  const connection = await against(asksForBoth);
  const [alone] = await Promise.all([
    connection.callTool("alone", {}),
    connection.callTool("attended", {}, { handlers: { elicitation: async () => ({ action: "cancel" }) } }),
  ]);
  expect(alone.content).toEqual([{ type: "text", text: "cancel" }]);
});

test("an error without an id is nobody's answer: the open call gets its own", async () => {
  const connection = await against(`
    if (method === "notifications/initialized") { open.push(1); return; }
    if (method === "tools/list") {
      say({ error: { code: -32601, message: "Method not found: notifications/initialized" } });
      say({ id, result: { tools: [{ name: "echo", inputSchema: { type: "object" } }] } });
    }`);
  const { items } = await connection.listTools();
  expect(items.map(({ name }) => name)).toEqual(["echo"]);
  expect(connection.problems).toEqual([
    {
      code: "UNKNOWN_ID",
      message:
        "The server sent an error without an id, so it answers no request: Method not found: notifications/initialized",
    },
  ]);
});

test("an answer that follows an error without an id is the answer, also where nothing else was sent", async () => {
  const script = `
    const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method } = JSON.parse(line);
      say({ error: { code: -32603, message: "Still starting" } });
      if (method === "initialize") say({ id, result: {
        protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "s", version: "1" } } });
    }).on("close", () => process.exit());`;
  const target = parseTarget({ command: process.execPath, args: ["-e", script] });
  const connection = await connect(target, {
    protocolVersion: "2025-11-25",
    timeouts: { connectMs: 30_000 },
  });
  onTestFinished(() => connection.close());
  expect(connection.serverInfo).toMatchObject({ name: "s" });
  expect(connection.problems[0]?.code).toBe("UNKNOWN_ID");
});

test.each([
  ["the answer follows", true, "echo"],
  ["nothing follows", false, "Method not found"],
])("an error without an id on the stream of a request is not its answer: %s", async (_, follows, told) => {
  const server = createServer(async (request, response) => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method } = (await json(request)) as { id?: number; method: string };
    if (id === undefined) return void response.writeHead(202).end();
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "s", version: "1" },
      },
      "tools/list": { tools: [{ name: "echo", inputSchema: { type: "object" } }] },
    };
    response.writeHead(200, { "content-type": "text/event-stream" });
    const say = (message: object) =>
      response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`);
    if (method === "tools/list") say({ error: { code: -32601, message: "Method not found" } });
    if (method !== "tools/list" || follows) say({ id, result: results[method] });
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const connection = await connect(parseTarget({ url: `http://127.0.0.1:${port}/mcp` }), {
    protocolVersion: "2025-11-25",
  });
  onTestFinished(() => connection.close());
  const listed = await connection.listTools().then(
    ({ items }) => items.map(({ name }) => name).join(),
    (error: Error) => error.message,
  );
  expect(listed).toBe(told);
  expect(connection.problems).toMatchObject([{ code: "UNKNOWN_ID" }]);
});

test("an error without an id ends the first request, as long as nothing else was sent", async () => {
  const script = `
    require("node:readline").createInterface({ input: process.stdin })
      .once("line", () => console.log(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } })))
      .on("close", () => process.exit());`;
  const target = parseTarget({ command: process.execPath, args: ["-e", script] });
  const failure = await connect(target, {
    protocolVersion: "2025-11-25",
    timeouts: { connectMs: 30_000 },
  }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "RPC_ERROR", details: { rpcCode: -32700, method: "initialize" } });
});
