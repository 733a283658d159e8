/** @module An MCP server that keeps every request it gets, and repeats in all it says what it was sent: plain, URL-encoded, in base64 and escaped in JSON. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface RepeatingServer extends AsyncDisposable {
  origin: string;
  /** Everything that came, as text. */
  heard(): string;
  close(): Promise<void>;
}

/** How a server may write down again what it was sent. */
export const spellings: Record<string, (text: string) => string> = {
  plain: (text) => text,
  "URL-encoded": encodeURIComponent,
  base64: (text) => Buffer.from(text).toString("base64"),
  "JSON-escaped": (text) => JSON.stringify(text).slice(1, -1),
};

interface Heard {
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** `before`: answers a request itself when it returns true. */
export async function startRepeatingServer(
  before: (request: IncomingMessage, response: ServerResponse) => boolean = () => false,
): Promise<RepeatingServer> {
  const all: Heard[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const one = {
      url: request.url ?? "",
      headers: request.headers,
      body: Buffer.concat(chunks).toString("utf8"),
    };
    all.push(one);
    if (before(request, response)) return;
    answer(one, request.method ?? "GET", response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard: () => JSON.stringify(all),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** What was sent to be let in, once in every spelling. */
function repeat({ url, headers }: Heard): string {
  const kept = ["authorization", "cookie", "x-api-key"].flatMap((name) => headers[name] ?? []);
  const query = [...new URL(url, "http://host.invalid").searchParams.values()];
  const words = [...kept, ...kept.map((value) => String(value).replace(/^Bearer /, "")), ...query];
  return Object.values(spellings)
    .flatMap((spell) => words.map((word) => spell(String(word))))
    .join(" | ");
}

function answer(heard: Heard, httpMethod: string, response: ServerResponse): void {
  if (httpMethod !== "POST") {
    response.writeHead(405).end();
    return;
  }
  const said = repeat(heard);
  const message = readMessage(heard.body);
  if (!message) {
    response.writeHead(400, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32700, message: said } }));
    return;
  }
  const { id, method = "", params } = message;
  if (id === undefined) {
    response.writeHead(202).end();
    return;
  }
  const result = resultOf(method, params, said);
  const outcome = result ? { result } : { error: { code: -32000, message: `no: ${said}`, data: { said } } };
  response.writeHead(200, { "content-type": "application/json", "x-said": encodeURIComponent(said) });
  response.end(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }));
}

interface Message {
  id?: unknown;
  method?: string;
  params?: { name?: string };
}

function readMessage(body: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(body);
    return typeof message === "object" && message !== null ? message : undefined;
  } catch {
    return undefined;
  }
}

function resultOf(method: string, params: { name?: string } | undefined, said: string): object | undefined {
  const tool = { name: "repeat", description: said, inputSchema: { type: "object", description: said } };
  switch (method) {
    case "initialize":
      return {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {}, resources: {}, prompts: {} },
        serverInfo: { name: "repeating", version: "1", title: said },
        instructions: said,
      };
    case "ping":
      return {};
    case "tools/list":
      return { tools: [tool, { ...tool, name: said }] };
    case "resources/list":
      return { resources: [{ uri: "said://it", name: said }] };
    case "resources/templates/list":
      return { resourceTemplates: [] };
    case "resources/read":
      return { contents: [{ uri: "said://it", text: said, blob: Buffer.from(said).toString("base64") }] };
    case "prompts/list":
      return { prompts: [{ name: "said", description: said }] };
    case "prompts/get":
      return { messages: [{ role: "user", content: { type: "text", text: said } }] };
    case "tools/call":
      return params?.name === "repeat" ? { content: [{ type: "text", text: said }] } : undefined;
    default:
      return undefined;
  }
}
