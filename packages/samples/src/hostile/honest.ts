/**
 * The smallest honest server, of revision 2025-11-25 or 2026-07-28: what each hostile one is, but for one thing.
 * @module
 */
import type { RpcRequest } from "./hostile-server.ts";

export const ECHO = {
  name: "echo",
  description: "Repeats a text.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
};

export function honestMessage(request: RpcRequest): unknown {
  const value = honestResult(request);
  const { id } = request;
  if (value) return { jsonrpc: "2.0", id, result: value };
  return { jsonrpc: "2.0", id, error: refusal(request) };
}

function refusal({ method, params }: RpcRequest) {
  return method === "tools/call" && !isEcho(params.name)
    ? { code: -32602, message: `Unknown tool: ${String(params.name)}` }
    : { code: -32601, message: `Method not found: ${method}` };
}

/** The corpus lists it under several names. */
function isEcho(name: unknown): boolean {
  return name === undefined || String(name).startsWith("echo");
}

function honestResult({ method, params }: RpcRequest): object | undefined {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "hostile", version: "1.0.0" },
      };
    case "ping":
      return {};
    case "tools/list":
      return { tools: [ECHO] };
    case "tools/call": {
      if (!isEcho(params.name)) return undefined;
      const { text } = (params.arguments ?? {}) as { text?: unknown };
      return { content: [{ type: "text", text: String(text) }] };
    }
    default:
      return undefined;
  }
}

/** The same in the stateless revision; `more` goes into every result. */
export function honestStatelessMessage(request: RpcRequest, more: object = {}): unknown {
  const { id, method } = request;
  const meta = { "io.modelcontextprotocol/serverInfo": { name: "hostile", version: "1.0.0" } };
  const common = { resultType: "complete", _meta: meta, ...more };
  const cached = { ttlMs: 0, cacheScope: "private" };
  if (method === "server/discover") {
    const facts = { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } };
    return { jsonrpc: "2.0", id, result: { ...facts, ...cached, ...common } };
  }
  const value = method === "initialize" || method === "ping" ? undefined : honestResult(request);
  if (!value) return { jsonrpc: "2.0", id, error: refusal(request) };
  return { jsonrpc: "2.0", id, result: { ...value, ...(method === "tools/list" && cached), ...common } };
}
