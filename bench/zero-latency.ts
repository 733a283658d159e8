/** @module A model and an MCP server in a process of their own that answer at once: what is left to measure is the loop between them. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const completion = (message: object, finish: string) =>
  JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "stub",
    choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: finish }],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  });
const toolCalls = [{ id: "call_1", type: "function", function: { name: "stock", arguments: '{"book":7}' } }];
const asks = completion({ content: null, tool_calls: toolCalls }, "tool_calls");
const ends = completion({ content: "Four copies." }, "stop");

/** A visitor that asks once and leaves. */
const isVisitor = (body: string) => body.includes("You play a person");
const says = (endSession: boolean) =>
  completion({ content: JSON.stringify({ message: "How many copies of book 7?", endSession }) }, "stop");
const [asksFirst, leaves] = [says(false), says(true)];

const results: Record<string, object> = {
  initialize: {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "zero", version: "1" },
  },
  "tools/list": {
    tools: [
      {
        name: "stock",
        description: "How many copies of a book are there?",
        inputSchema: { type: "object", properties: { book: { type: "integer" } }, required: ["book"] },
      },
    ],
  },
  "tools/call": { content: [{ type: "text", text: "4 copies" }] },
  ping: {},
};

const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8").on("data", (chunk) => {
    body += chunk;
  });
  request.on("end", () => {
    const send = (text: string) => {
      response.writeHead(200, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(text),
      });
      response.end(text);
    };
    if (request.url !== "/mcp" && isVisitor(body))
      return send(body.includes('turn\\":1,') ? asksFirst : leaves);
    if (request.url !== "/mcp") return send(body.includes('"role":"tool"') ? ends : asks);
    if (request.method !== "POST") return response.writeHead(405).end();
    const { id, method } = JSON.parse(body);
    if (id === undefined) return response.writeHead(202).end();
    const result = results[method];
    const answer = result ? { result } : { error: { code: -32601, message: "no such method" } };
    send(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
  });
});
server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
