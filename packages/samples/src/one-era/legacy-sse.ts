/**
 * A server that speaks only the oldest HTTP transport: revision 2024-11-05, HTTP+SSE. The SDK no longer has this side of
 * it, so it is written by hand: GET /sse opens the stream and names the address to post to; every answer comes on the stream.
 * @module
 */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text as readText } from "node:stream/consumers";
import * as z from "zod";
import { type ListenOptions, listen, type RunningSample } from "../serve-http.ts";

const PROTOCOL_VERSION = "2024-11-05";

const Message = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z.looseObject({}).optional(),
});
type Message = z.infer<typeof Message>;

const NOTE = { uri: "note://welcome", name: "welcome", mimeType: "text/plain" };
const TOOLS = [
  {
    name: "echo",
    description: "Repeats a text.",
    inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  },
  {
    name: "add",
    description: "Adds two numbers.",
    inputSchema: {
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number" } },
      required: ["a", "b"],
    },
  },
];

type Handler = (params: Record<string, unknown>) => unknown;
const METHODS: Record<string, Handler> = {
  initialize: () => ({
    protocolVersion: PROTOCOL_VERSION,
    capabilities: { tools: {}, resources: {}, prompts: {} },
    serverInfo: { name: "legacy-sse", version: "1.0.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools: TOOLS }),
  "tools/call": ({ name, arguments: args }) =>
    callTool(String(name), (args ?? {}) as Record<string, unknown>),
  "resources/list": () => ({ resources: [NOTE] }),
  "resources/read": ({ uri }) => {
    if (uri !== NOTE.uri) throw new RpcError(-32002, "Resource not found");
    return { contents: [{ uri, mimeType: NOTE.mimeType, text: "Welcome to 2024." }] };
  },
  "prompts/list": () => ({ prompts: [{ name: "greet", description: "Greets the reader." }] }),
  "prompts/get": ({ name }) => {
    if (name !== "greet") throw new RpcError(-32602, `Unknown prompt ${name}`);
    return { messages: [{ role: "user", content: { type: "text", text: "Say hello." } }] };
  },
};

class RpcError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** `url` is the address of the event stream. */
export async function runLegacySse(options?: ListenOptions): Promise<RunningSample> {
  const streams = new Map<string, ServerResponse>();
  const http = await listen((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? "/", "http://localhost");
    if (pathname === "/sse" && req.method === "GET") return openStream(streams, res);
    if (pathname === "/sse") return void res.writeHead(405, { allow: "GET" }).end();
    const stream = pathname === "/messages" && streams.get(searchParams.get("sessionId") ?? "");
    if (!stream || req.method !== "POST") return void res.writeHead(404).end();
    return void receive(req, res, stream);
  }, options);
  return { url: `${http.origin}/sse`, close: http.close };
}

function openStream(streams: Map<string, ServerResponse>, res: ServerResponse): void {
  const sessionId = randomUUID();
  streams.set(sessionId, res);
  res.once("close", () => streams.delete(sessionId));
  res.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  res.write(`event: endpoint\ndata: /messages?sessionId=${sessionId}\n\n`);
}

async function receive(req: IncomingMessage, res: ServerResponse, stream: ServerResponse): Promise<void> {
  const message = Message.safeParse(parseJson(await readText(req)));
  if (!message.success) return void res.writeHead(400).end("Not a JSON-RPC request");
  res.writeHead(202).end("Accepted");
  if (message.data.id === undefined) return;
  stream.write(`event: message\ndata: ${JSON.stringify(answer(message.data))}\n\n`);
}

function answer({ id, method, params }: Message) {
  try {
    const handler = METHODS[method];
    if (!handler) throw new RpcError(-32601, `Method not found: ${method}`);
    return { jsonrpc: "2.0", id, result: handler(params ?? {}) };
  } catch (error) {
    const { code = -32603, message } = error as RpcError;
    return { jsonrpc: "2.0", id, error: { code, message } };
  }
}

function callTool(name: string, args: Record<string, unknown>) {
  const text = (value: unknown) => ({ content: [{ type: "text", text: String(value) }] });
  if (name === "echo") return text(args.text);
  if (name === "add") return text(Number(args.a) + Number(args.b));
  throw new RpcError(-32602, `Unknown tool: ${name}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
