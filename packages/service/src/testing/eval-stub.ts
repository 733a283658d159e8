/** @module A model and an MCP server that do as a test says: the model asks for one tool call and then answers, the server answers the call. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

type Told = number | string | { fault: "silence" | "cut" | "limit" } | { asks: true } | undefined;

export interface EvalStub extends AsyncDisposable {
  /** Of the MCP server. */
  url: string;
  /** Names the model; `env` makes it known to a service. */
  model: string;
  env: { FETTLE_CONFIG: string };
  /** What the server offers. */
  tools: { name: string; description: string; inputSchema: object; annotations?: object }[];
  /** How clients of the server introduced themselves, the latest last. */
  introductions: { headers: IncomingHttpHeaders; params: object }[];
  /** Tool calls that reached the server. */
  calls: number;
  /** Asked before each tool call is answered; may say what with. */
  onCall: (headers: IncomingHttpHeaders) => Promise<string | undefined> | string | undefined;
  /** Asked before each answer of the model; a number is the HTTP status of a refusal, words are what it says in the end, and it can be made to ask for its tool again. */
  onModel: (headers: IncomingHttpHeaders, body: string) => Told | Promise<Told>;
  /** What the model calls the tool with, as JSON. */
  calledWith: string;
  /** How long the model thinks. */
  modelMs: number;
  /** What an answer is said to have taken. */
  usageOf: (body: string) => { input: number; output: number };
  close(): Promise<void>;
}

const tool = {
  name: "stock",
  description: "How many copies of a book are there?",
  inputSchema: { type: "object", properties: { book: { type: "integer" } }, required: ["book"] },
};

const completion = (message: object, finish: string) => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "stub",
  choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: finish }],
  usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
});
const asksWith = (args: string) => {
  const call = { id: "call_1", type: "function", function: { name: "stock", arguments: args } };
  return completion({ content: null, tool_calls: [call] }, "tool_calls");
};
const ends = completion({ content: "Four copies." }, "stop");

/** The same to who wants it as it comes: all at once. */
function sendPieces(response: ServerResponse, { choices: [choice], usage, ...rest }: typeof ends): void {
  const { message, finish_reason } = choice!;
  const calls = "tool_calls" in message &&
    Array.isArray(message.tool_calls) && { tool_calls: [{ index: 0, ...message.tool_calls[0] }] };
  const delta = { ...message, ...calls };
  const piece = {
    ...rest,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason }],
    usage,
  };
  response
    .writeHead(200, { "content-type": "text/event-stream" })
    .end(`data: ${JSON.stringify(piece)}\n\ndata: [DONE]\n\n`);
}

export async function startEvalStub(): Promise<EvalStub> {
  const send = (response: ServerResponse, status: number, body?: object) =>
    response.writeHead(status, { "content-type": "application/json" }).end(body && JSON.stringify(body));

  async function answer(
    { url, headers }: IncomingMessage,
    body: string,
    response: ServerResponse,
  ): Promise<void> {
    if (url !== "/mcp") {
      const told = await stub.onModel(headers, body);
      if (stub.modelMs > 0) await delay(stub.modelMs);
      const asksAgain = typeof told === "object" && "asks" in told;
      if (typeof told === "object" && !asksAgain && told.fault === "limit") {
        // Longer than anybody waits: every later call of the same key is refused with it.
        response.setHeader("retry-after", "3600");
        return void send(response, 429, { error: { message: "too many requests" } });
      }
      if (typeof told === "object" && !asksAgain) return void (told.fault === "cut" && response.destroy());
      if (typeof told === "number") {
        return void send(response, told, { error: { message: `not now, ${headers.authorization}` } });
      }
      const end = typeof told === "string" ? completion({ content: told }, "stop") : ends;
      // Whoever offers no tools wants words.
      const { messages, tools, stream } = JSON.parse(body);
      const isOver = !asksAgain && (messages.at(-1).role === "tool" || !tools);
      const { input, output } = stub.usageOf(body);
      const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
      const said = { ...(isOver ? end : asksWith(stub.calledWith)), usage };
      return void (stream ? sendPieces(response, said) : send(response, 200, said));
    }
    const { id, method, params } = JSON.parse(body);
    if (id === undefined) return void send(response, 202);
    if (method === "initialize") stub.introductions.push({ headers, params });
    let said = "4 copies";
    if (method === "tools/call") {
      stub.calls += 1;
      said = (await stub.onCall(headers)) ?? said;
    }
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "stub", version: "1" },
      },
      "tools/list": { tools: stub.tools },
      "tools/call": { content: [{ type: "text", text: said }] },
    };
    const result = results[method];
    const told = result ? { result } : { error: { code: -32601, message: "no such method" } };
    send(response, 200, { jsonrpc: "2.0", id, ...told });
  }

  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      if (request.method === "POST") void answer(request, body, response);
      else send(response, 405);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folder = mkdtempSync(join(tmpdir(), "fettle-stub-"));
  const config = join(folder, "fettle.yaml");
  writeFileSync(
    config,
    `models: { providers: { custom: { zero: { baseUrl: "${origin}/v1", apiKey: none } } } }\n`,
  );
  const close = async () => {
    rmSync(folder, { recursive: true, force: true });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const stub: EvalStub = {
    url: `${origin}/mcp`,
    model: "custom:zero:stub",
    env: { FETTLE_CONFIG: config },
    // Its own: test files share a process, and some change what the tool says of itself.
    tools: [structuredClone(tool)],
    introductions: [],
    calls: 0,
    onCall: () => undefined,
    onModel: () => undefined,
    calledWith: '{"book":7}',
    modelMs: 0,
    usageOf: () => ({ input: 100, output: 20 }),
    close,
    [Symbol.asyncDispose]: close,
  };
  return stub;
}
