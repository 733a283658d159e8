/** @module `fettle mcp` as an agent meets it: the real command, spoken to by the official client over stdio. */
import { join } from "node:path";
import { hostileCommand, sampleCommand, startBookshop, startHostile } from "@fettle/samples";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { processMark } from "../../../../mcp/src/testing/processes.ts";

const launcher = join(import.meta.dirname, "..", "..", "..", "bin", "fettle.mjs");
const mark = processMark();

async function agent(...flags: string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [launcher, "mcp", ...flags],
    env: { ...(process.env as Record<string, string>), ...mark.env },
    stderr: "pipe",
  });
  let said = "";
  transport.stderr?.on("data", (chunk) => {
    said += chunk;
  });
  const client = new Client({ name: "agent", version: "1.0.0" });
  await client.connect(transport);
  return {
    client,
    said: () => said,
    async ask(name: string, args: object = {}) {
      const { content, isError = false } = await client.callTool({ name, arguments: { ...args } });
      const [block] = content as { type: string; text: string }[];
      return { isError, ...JSON.parse(block!.text) };
    },
  };
}

let one: Awaited<ReturnType<typeof agent>>;
let bookshop: Awaited<ReturnType<typeof startBookshop>>;
beforeAll(async () => {
  [one, bookshop] = await Promise.all([agent("--allow-commands", "--timeout", "5000"), startBookshop()]);
});
afterAll(async () => {
  await Promise.all([one.client.close(), bookshop.close()]);
  expect(mark.left()).toEqual([]);
});

test("lists fourteen tools, each described, and says so on stderr alone", async () => {
  const { tools } = await one.client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual([
    "call_tool",
    "connect_server",
    "disconnect_server",
    "get_notifications",
    "get_prompt",
    "list_prompts",
    "list_resources",
    "list_servers",
    "list_tools",
    "ping_server",
    "probe_server",
    "read_resource",
    "server_doctor",
    "server_info",
  ]);
  for (const { name, description, annotations } of tools) {
    expect(description?.length, name).toBeGreaterThan(30);
    expect(annotations?.readOnlyHint, name).toEqual(expect.any(Boolean));
  }
  expect(one.said()).toContain("serving MCP on stdio");
});

test("runs a doctor on a good server and on a broken one", async () => {
  expect(await one.ask("server_doctor", { url: bookshop.url })).toMatchObject({
    isError: false,
    status: "ready",
  });
  const broken = await startHostile("html-instead-of-json");
  onTestFinished(() => broken.close());
  expect(await one.ask("server_doctor", { url: broken.url })).toMatchObject({
    isError: false,
    status: "error",
    findings: [{ code: "HTML_INSTEAD_OF_JSON", next: { text: expect.any(String) } }],
  });
  expect(await one.ask("server_doctor", hostileCommand("crash-at-start"))).toMatchObject({
    findings: [{ code: "CRASHED_AT_START" }],
  });
});

describe("a connection", () => {
  test("is opened, looked around in, used and closed by name", async () => {
    const opened = await one.ask("connect_server", { url: bookshop.url });
    expect(opened).toMatchObject({
      server: "127.0.0.1",
      status: "connected",
      initialization: { serverVersion: { name: "bookshop" } },
    });
    const { server } = opened;
    expect(await one.ask("connect_server", { ...sampleCommand("bookshop"), name: "shop" })).toMatchObject({
      server: "shop",
    });
    expect(await one.ask("connect_server", { url: bookshop.url })).toMatchObject({ server: "127.0.0.1-2" });
    expect((await one.ask("list_servers")).servers).toHaveLength(3);
    expect(await one.ask("server_info", { server })).toMatchObject({
      initialization: { transport: "streamable-http" },
    });
    expect(await one.ask("ping_server", { server: "shop" })).toMatchObject({
      status: "ok",
      latencyMs: expect.any(Number),
    });
    expect((await one.ask("list_tools", { server })).tools).toHaveLength(9);
    expect(
      await one.ask("call_tool", { server: "shop", tool: "get_book", arguments: { bookId: "tin-swallows" } }),
    ).toMatchObject({
      structuredContent: { title: "Tin Swallows" },
    });
    const { resources } = await one.ask("list_resources", { server });
    expect((await one.ask("list_resources", { server, templates: true })).resourceTemplates).toHaveLength(2);
    expect(await one.ask("read_resource", { server, uri: resources[0].uri })).toMatchObject({
      content: { contents: expect.any(Array) },
    });
    expect((await one.ask("list_prompts", { server })).prompts).toHaveLength(1);
    expect(await one.ask("get_notifications", {})).toMatchObject({
      notifications: [],
      buffered: 0,
      droppedOverflow: 0,
    });
    expect(await one.ask("disconnect_server", { server })).toMatchObject({ status: "disconnected" });
    expect(await one.ask("ping_server", { server })).toMatchObject({
      isError: true,
      error: { code: "USAGE_ERROR" },
    });
  });

  test.each([
    [{}, "exactly one"],
    [{ url: "http://127.0.0.1:1/", command: "x" }, "exactly one"],
    [{ url: "http://127.0.0.1:1/", args: ["x"] }, "only go with command"],
    [{ command: "x", headers: { a: "b" } }, "only go with url"],
    [{ url: "http://127.0.0.1:1/" }, "Nothing listens"],
  ])("to %j fails with a result that says why", async (target, words) => {
    expect(await one.ask("connect_server", target)).toMatchObject({
      isError: true,
      error: { message: expect.stringContaining(words) },
    });
  });
});

test("commands are started only when the person running it allowed them", async () => {
  const careful = await agent("--quiet");
  expect(await careful.ask("connect_server", { command: "touch", args: ["/tmp/never"] })).toMatchObject({
    isError: true,
    error: { message: "Starting commands is not allowed here." },
  });
  expect(await careful.ask("server_doctor", { command: "true" })).toMatchObject({ isError: true });
  expect(careful.said()).toBe("");
  await careful.client.close();
});
