/** @module An address where nobody speaks MCP has no protocol to judge: that is an error, and no verdict. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseTarget } from "@fettle/mcp";
import { expect, onTestFinished, test } from "vitest";
import { runProtocol } from "./run-protocol.ts";

interface Page {
  status: number;
  type?: string;
  body: string;
}

async function startPage({ status, type, body }: Page): Promise<string> {
  const server = createServer((req, res) => {
    req.resume();
    res.writeHead(status, type === undefined ? {} : { "content-type": type }).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const json = "application/json";
const html = "<!doctype html><title>Shop</title><p>Welcome.";
const strangers: [string, Page][] = [
  ["a page", { status: 200, type: "text/html", body: html }],
  ["a page without a type", { status: 200, body: html }],
  ["a page for a wrong path", { status: 404, type: "text/html", body: html }],
  ["a plain text", { status: 200, type: "text/plain", body: "ok" }],
  ["an API's object", { status: 200, type: json, body: '{"status":"ok","items":[1,2]}' }],
  ["an API's list", { status: 200, type: json, body: '[{"id":1}]' }],
  ["an API's empty list", { status: 200, type: json, body: "[]" }],
  ["an API's error", { status: 400, type: json, body: '{"error":"Bad Request"}' }],
  ["an API's error with success", { status: 200, type: json, body: '{"error":{"code":4,"message":"No"}}' }],
  ["an API's 404", { status: 404, type: json, body: '{"detail":"Not Found"}' }],
  ["JSON that breaks off", { status: 200, type: json, body: '{"status":' }],
  ["nothing", { status: 200, body: "" }],
  ["nothing, accepted", { status: 202, body: "" }],
  ["no content", { status: 204, body: "" }],
  ["an event stream that ends", { status: 200, type: "text/event-stream", body: ": hello\n\n" }],
  ["events of something else", { status: 200, type: "text/event-stream", body: 'data: {"tick":1}\n\n' }],
];

test.each(strangers)("%s is no server to judge", async (_, page) => {
  const url = await startPage(page);
  for (const protocolVersion of [undefined, "2025-11-25", "2026-07-28"]) {
    const judging = runProtocol(parseTarget({ url }), { protocolVersion, checkTimeoutMs: 10_000 });
    await expect(judging).rejects.toMatchObject({ name: "McpError" });
  }
});
