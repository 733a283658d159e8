import { fileURLToPath } from "node:url";
import { Client, SSEClientTransport } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { startLegacySse, startStateless } from "../index.ts";
import { connectHttp, connectStdio, REVISION } from "../sdk-client.ts";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));

test("the official client uses the old HTTP+SSE server, which negotiates 2024-11-05", async () => {
  const server = await startLegacySse();
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new SSEClientTransport(new URL(server.url)));
  expect(client.getNegotiatedProtocolVersion()).toBe("2024-11-05");
  expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(["echo", "add"]);
  const sum = await client.callTool({ name: "add", arguments: { a: 2, b: 3 } });
  expect(sum.content).toEqual([{ type: "text", text: "5" }]);
  const note = await client.readResource({ uri: "note://welcome" });
  expect(note.contents[0]).toMatchObject({ text: "Welcome to 2024." });
  await expect(client.callTool({ name: "nope" })).rejects.toMatchObject({ code: -32602 });
  await client.close();
  await server.close();
});

test("the old server refuses a POST to its stream, so that clients fall back", async () => {
  const server = await startLegacySse();
  expect((await fetch(server.url, { method: "POST", body: "{}" })).status).toBe(405);
  await server.close();
});

test("the stateless server serves 2026-07-28 and refuses a handshake, over HTTP", async () => {
  const server = await startStateless();
  const client = await connectHttp(server.url, "modern");
  expect(client.getNegotiatedProtocolVersion()).toBe(REVISION.modern);
  expect((await client.listTools()).tools).toHaveLength(9);
  await client.close();
  await expect(connectHttp(server.url, "legacy")).rejects.toThrow(/Unsupported protocol version/);
  await server.close();
});

test("the stateless server serves 2026-07-28 and refuses a handshake, over stdio", async () => {
  const client = await connectStdio([MAIN, "stateless", "--stdio"], "modern");
  expect((await client.listTools()).tools).toHaveLength(9);
  await client.close();
  await expect(connectStdio([MAIN, "stateless", "--stdio"], "legacy")).rejects.toThrow(
    /Unsupported protocol version/,
  );
});
