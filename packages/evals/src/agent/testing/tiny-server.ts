/** @module An MCP server of a few lines, whose tools a test writes down beside what it expects. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type JsonObject, parseTarget } from "@fettle/mcp";
import type { ServerBinding } from "../servers.ts";

export interface TinyTool {
  description?: string;
  inputSchema?: JsonObject;
  annotations?: JsonObject;
  /** Gives a result, throws to answer with a JSON-RPC error, or writes to the response itself and gives nothing. */
  run(args: JsonObject, response: ServerResponse): JsonObject | undefined | Promise<JsonObject | undefined>;
}

export class RpcFault extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export const said = (text: string): JsonObject => ({ content: [{ type: "text", text }] });

export interface TinyServer extends AsyncDisposable {
  url: string;
  binding: ServerBinding;
  /** Names of the tools that were called, in turn. */
  calls: { name: string; args: JsonObject }[];
  tools: Record<string, TinyTool>;
  /** As a crash or a pulled cable: open sockets die, new ones are refused. */
  kill(): Promise<void>;
}

export async function startTinyServer(name: string, tools: Record<string, TinyTool>): Promise<TinyServer> {
  const calls: TinyServer["calls"] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const { id, method, params = {} } = request.method === "POST" ? JSON.parse(body) : {};
    if (id === undefined) return response.writeHead(request.method === "POST" ? 202 : 405).end();
    const answer = (fields: JsonObject) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, ...fields }));
    };
    try {
      const result = await answerTo(method, params, response);
      if (result) answer({ result });
    } catch (error) {
      const { code = -32603, message } = error as RpcFault;
      answer({ error: { code, message } });
    }
  });

  async function answerTo(method: string, params: JsonObject, response: ServerResponse) {
    if (method === "initialize") {
      const serverInfo = { name, version: "1" };
      return { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo };
    }
    if (method === "ping") return {};
    if (method === "tools/list") {
      return {
        tools: Object.entries(tools).map(([tool, { run: _run, ...facts }]) => ({
          name: tool,
          inputSchema: { type: "object" },
          ...facts,
        })),
      };
    }
    if (method !== "tools/call") throw new RpcFault(-32601, "no such method");
    const args = (params.arguments ?? {}) as JsonObject;
    calls.push({ name: String(params.name), args });
    const tool = tools[String(params.name)];
    if (!tool) throw new RpcFault(-32602, "no such tool");
    return tool.run(args, response);
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const kill = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  return {
    url,
    calls,
    tools,
    binding: { name, target: parseTarget({ url }) },
    kill,
    [Symbol.asyncDispose]: kill,
  };
}
