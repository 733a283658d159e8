/** @module A server of one tool whose widget does what a test says, and which counts its calls. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";

/** The protocol's beginning, for a script of a widget. */
export const begin = `addEventListener("message", ({ data }) => {
  if (data.id === 1 && data.result) parent.postMessage({ jsonrpc: "2.0", method: "ui/notifications/initialized", params: {} }, "*");
});
parent.postMessage({ jsonrpc: "2.0", id: 1, method: "ui/initialize", params: { protocolVersion: "2026-01-26", appInfo: { name: "w", version: "1" }, appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] } } }, "*");`;

export async function startWidgetServer(body: string) {
  const uri = "ui://test/widget.html";
  const text = `<!doctype html><html><head><title>Test</title></head><body>${body}</body></html>`;
  const mimeType = "text/html;profile=mcp-app";
  const counted = { calls: 0 };
  const results: Record<string, () => object | Promise<object>> = {
    initialize: () => ({
      protocolVersion: "2025-11-25",
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: "widgets", version: "1.0.0" },
    }),
    ping: () => ({}),
    "tools/list": () => ({
      tools: [{ name: "show", inputSchema: { type: "object" }, _meta: { ui: { resourceUri: uri } } }],
    }),
    "tools/call": () => {
      counted.calls += 1;
      return { content: [{ type: "text", text: "shown" }] };
    },
    /** Slow, as a server is that has something to look up. */
    "resources/list": async () => {
      await wait(1_500);
      return { resources: [{ uri, name: "widget", mimeType }] };
    },
    "resources/read": () => ({ contents: [{ uri, mimeType, text }] }),
  };
  const server = createServer(async (request, response) => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method } = (await json(request)) as { id?: number; method: string };
    if (id === undefined) return void response.writeHead(202).end();
    const result = await results[method]?.();
    const answer = result ? { result } : { error: { code: -32601, message: "Method not found" } };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    counted,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
