/** @module A model that streams and an MCP server, both of which do as a test says: what it writes decides what is called, and it may wait between two words. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface ChatStub {
  /** Of the MCP server. */
  url: string;
  model: string;
  env: { FETTLE_CONFIG: string };
  /** Tool calls that reached the server. */
  calls: { name: string; arguments: Record<string, unknown> }[];
  /** Requests that the model had. */
  asked: number;
  /** The model refuses with this status. */
  refuseWith: number | undefined;
  /** Awaited by the model before its last word. */
  lastWord: Promise<void>;
  /** Awaited by the tool `slow`. */
  slowly: Promise<void>;
  /** Whether the tool `shaky` fails. */
  isShaky: boolean;
  /** What the tool `hostile` says. */
  hostile: string;
  close(): Promise<void>;
}

const noArguments = { type: "object", properties: {} };
const reads = { annotations: { readOnlyHint: true } };
const tools = [
  {
    name: "lookup",
    description: "Finds a word",
    inputSchema: { type: "object", properties: { word: { type: "string" } } },
    ...reads,
  },
  { name: "shaky", description: "Fails now and then", inputSchema: noArguments, ...reads },
  { name: "slow", description: "Takes its time", inputSchema: noArguments, ...reads },
  { name: "hostile", description: "Tries to give orders", inputSchema: noArguments, ...reads },
  { name: "write", description: "Changes something", inputSchema: noArguments },
];

interface Asked {
  messages: { role: string; content: unknown }[];
  stream?: boolean;
}

const ending = "**The end.**";

/** `call lookup {"word":"plum"}` asks for a call; anything else, and what follows a call, is answered in words. */
const wanted = /^call (\w+) ?(\{.*\})?$/;

export async function startChatStub(): Promise<ChatStub> {
  async function answerModel(body: string, response: ServerResponse): Promise<void> {
    stub.asked += 1;
    if (stub.refuseWith !== undefined) {
      response.writeHead(stub.refuseWith, { "content-type": "application/json" });
      return void response.end(JSON.stringify({ error: { message: "not today" } }));
    }
    const { messages, stream } = JSON.parse(body) as Asked;
    const last = messages.at(-1)!;
    const said = last.role === "user" ? textOf(last.content) : "";
    const [, name, input = "{}"] = wanted.exec(said) ?? [];
    const call = { id: `call_${stub.asked}`, type: "function", function: { name, arguments: input } };
    const begins = last.role === "tool" ? `It says: ${textOf(last.content)} ` : `You said: ${said} `;
    const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
    const finish = name ? "tool_calls" : "stop";
    const answer = { id: "chatcmpl-1", created: 1, model: "stub" };
    if (!stream) {
      const message = name ? { content: null, tool_calls: [call] } : { content: `${begins}${ending}` };
      const choice = { index: 0, message: { role: "assistant", ...message }, finish_reason: finish };
      response.writeHead(200, { "content-type": "application/json" });
      return void response.end(
        JSON.stringify({ ...answer, object: "chat.completion", choices: [choice], usage }),
      );
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    const tell = (delta: object, finished: string | null = null) => {
      const choices = [{ index: 0, delta, finish_reason: finished }];
      const chunk = { ...answer, object: "chat.completion.chunk", choices, ...(finished && { usage }) };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    };
    if (name) tell({ role: "assistant", tool_calls: [{ index: 0, ...call }] });
    else {
      tell({ role: "assistant", content: begins });
      await stub.lastWord;
      tell({ content: ending });
    }
    tell({}, finish);
    response.end("data: [DONE]\n\n");
  }

  async function answerServer(body: string, response: ServerResponse): Promise<void> {
    const { id, method, params } = JSON.parse(body);
    const send = (answer: object) =>
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
    if (id === undefined) return void response.writeHead(202).end();
    if (method === "initialize") {
      const serverInfo = { name: "stub", version: "1" };
      return void send({
        result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo },
      });
    }
    if (method === "tools/list") return void send({ result: { tools } });
    if (method !== "tools/call") return void send({ error: { code: -32601, message: "no such method" } });
    stub.calls.push({ name: params.name, arguments: params.arguments ?? {} });
    if (params.name === "slow") await stub.slowly;
    const isError = params.name === "shaky" && stub.isShaky;
    const text = isError
      ? "The shelf fell over."
      : params.name === "hostile"
        ? stub.hostile
        : `found ${params.arguments?.word ?? "it"}`;
    send({ result: { content: [{ type: "text", text }], ...(isError && { isError }) } });
  }

  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      if (request.method !== "POST") response.writeHead(405).end();
      else void (request.url === "/mcp" ? answerServer(body, response) : answerModel(body, response));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folder = mkdtempSync(join(tmpdir(), "fettle-chat-stub-"));
  const config = join(folder, "fettle.yaml");
  writeFileSync(
    config,
    `models: { providers: { custom: { zero: { baseUrl: "${origin}/v1", apiKey: none } } } }\n`,
  );
  const stub: ChatStub = {
    url: `${origin}/mcp`,
    model: "custom:zero:stub",
    env: { FETTLE_CONFIG: config },
    calls: [],
    asked: 0,
    refuseWith: undefined,
    lastWord: Promise.resolve(),
    slowly: Promise.resolve(),
    isShaky: true,
    hostile: "",
    close: async () => {
      rmSync(folder, { recursive: true, force: true });
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return stub;
}

const textOf = (content: unknown): string =>
  typeof content === "string"
    ? content
    : (content as { text?: string }[]).map(({ text = "" }) => text).join("");
