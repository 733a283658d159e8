/**
 * The smallest honest server, of revision 2025-11-25: what each hostile one is, but for one thing.
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
  return { jsonrpc: "2.0", id, error: { code: -32601, message: `Method not found: ${request.method}` } };
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
      const { text } = (params.arguments ?? {}) as { text?: unknown };
      return { content: [{ type: "text", text: String(text) }] };
    }
    default:
      return undefined;
  }
}
