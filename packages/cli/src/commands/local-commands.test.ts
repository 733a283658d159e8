/** @module Every local command on every kind of server: the shape of its JSON, and its exit code. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestServer, type TestServerName, testServers } from "../testing/servers.ts";
import { testWorld } from "../testing/world.ts";

interface Kind {
  transport: string;
  protocolVersion: string;
  tool: { name: string; args: string };
  resource?: string;
  prompt?: { name: string; args: string };
}

const kinds: Record<TestServerName, Kind> = {
  "bookshop over HTTP": {
    transport: "streamable-http",
    protocolVersion: "2026-07-28",
    tool: { name: "search_books", args: '{"query":"tin"}' },
    prompt: { name: "recommend_books", args: `{"reader":"a child","mood":"calm"}` },
  },
  "bookshop over stdio": {
    transport: "stdio",
    protocolVersion: "2026-07-28",
    tool: { name: "get_book", args: '{"bookId":"tin-swallows"}' },
  },
  "everything over HTTP": {
    transport: "streamable-http",
    protocolVersion: "2026-07-28",
    tool: { name: "test_simple_text", args: "{}" },
    prompt: { name: "test_simple_prompt", args: "{}" },
  },
  "an old SSE server": {
    transport: "sse",
    protocolVersion: "2024-11-05",
    tool: { name: "echo", args: '{"text":"hi"}' },
  },
  "a stateless server": {
    transport: "streamable-http",
    protocolVersion: "2026-07-28",
    tool: { name: "search_books", args: "{}" },
  },
  "the public server-everything over stdio": {
    transport: "stdio",
    protocolVersion: "2025-11-25",
    tool: { name: "echo", args: '{"message":"hi"}' },
    prompt: { name: "simple-prompt", args: "{}" },
  },
  "the public server-everything over HTTP": {
    transport: "streamable-http",
    protocolVersion: "2025-11-25",
    tool: { name: "get-sum", args: '{"a":1,"b":2}' },
    prompt: { name: "args-prompt", args: '{"city":"Graz"}' },
  },
};

describe.each(Object.entries(kinds) as [TestServerName, Kind][])("%s", (name, kind) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await testServers[name]();
  });
  afterAll(() => server.close());

  async function json(...argv: string[]) {
    const { fettle } = await testWorld();
    const { stdout, stderr, exitCode } = await fettle(...argv, ...server.flags, "--format", "json");
    expect({ stderr, exitCode }, argv.join(" ")).toEqual({ stderr: "", exitCode: 0 });
    return JSON.parse(stdout);
  }

  test("server doctor is ready", async () => {
    expect(await json("server", "doctor")).toMatchObject({
      status: "ready",
      connection: { status: "connected" },
      initInfo: { protocolVersion: kind.protocolVersion, transport: kind.transport },
      error: null,
    });
  });

  test("server info, capabilities, ping and validate tell of one server", async () => {
    const info = await json("server", "info");
    expect(info).toMatchObject({
      protocolVersion: kind.protocolVersion,
      transport: kind.transport,
      serverVersion: { name: expect.any(String), version: expect.any(String) },
      serverCapabilities: expect.any(Object),
      clientCapabilities: {},
    });
    const { capabilities, target } = await json("server", "capabilities");
    expect(capabilities).toEqual(info.serverCapabilities);
    expect(await json("server", "ping")).toMatchObject({
      target,
      status: "connected",
      result: expect.any(Object),
    });
    expect(await json("server", "validate")).toMatchObject({
      success: true,
      status: "connected",
      target,
      initInfo: { protocolVersion: kind.protocolVersion },
    });
  });

  test("server export --stable gives the same bytes twice", async () => {
    const { fettle } = await testWorld();
    const argv = ["server", "export", "--stable", ...server.flags];
    const [first, second] = [await fettle(...argv), await fettle(...argv)];
    expect(first).toEqual(second);
    expect(JSON.parse(first.stdout)).toMatchObject({
      kind: "server-snapshot",
      schemaVersion: 1,
      tools: expect.any(Array),
    });
    expect(JSON.parse(first.stdout)).not.toHaveProperty("exportedAt");
  });

  test("lists have their documented shape", async () => {
    const tools = await json("tools", "list");
    expect(tools.tools.map((tool: { name: string }) => tool.name)).toContain(kind.tool.name);
    expect(tools).toMatchObject({ toolsMetadata: expect.any(Object) });
    for (const key of ["host", "toolsDroppedVisibility", "tokenCount", "problems"])
      expect(tools).not.toHaveProperty(key);
    expect(await json("resources", "list")).toMatchObject({ resources: expect.any(Array) });
    expect(await json("prompts", "list")).toMatchObject({ prompts: expect.any(Array) });
  });

  test("tools call prints the raw result with _durationMs", async () => {
    const result = await json("tools", "call", "--tool-name", kind.tool.name, "--tool-args", kind.tool.args);
    expect(result).toMatchObject({ content: expect.any(Array), _durationMs: expect.any(Number) });
  });

  test("resources read and prompts get wrap what came in content", async () => {
    const { resources } = await json("resources", "list");
    const { uri } = resources[0];
    expect(await json("resources", "read", "--resource-uri", uri)).toMatchObject({
      content: { contents: [{ uri: expect.any(String) }] },
    });
    if (!kind.prompt) return;
    const { name: prompt, args } = kind.prompt;
    expect(await json("prompts", "get", "--prompt-name", prompt, "--prompt-args", args)).toMatchObject({
      content: { messages: expect.any(Array) },
    });
  });
});
