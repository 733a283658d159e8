/** The hints of Fettle's own tools, held against a server that writes down what each of them did to it. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBookshop } from "@fettle/samples";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Connections } from "./connections.ts";
import { createFettleServer } from "./server.ts";
import { type AgentTool, agentTools } from "./tools.ts";

const stack = new AsyncDisposableStack();
let bookshop: Awaited<ReturnType<typeof startBookshop>>;
let trace: string;
let command: { command: string; args: string[]; env: Record<string, string> };
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "fettle-hints-"));
  stack.defer(() => rm(folder, { recursive: true }));
  bookshop = stack.adopt(await startBookshop(), (sample) => sample.close());
  trace = join(folder, "trace");
  await writeFile(trace, "");
  // Any command at all: that it was started is what counts.
  const script = `require("node:fs").appendFileSync(process.env.TRACE, "started\\n");
    const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
    const results = {
      initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {}, resources: {}, prompts: {} }, serverInfo: { name: "s", version: "1" } },
      "tools/list": { tools: [{ name: "delete_all", inputSchema: { type: "object" } }] },
      "resources/list": { resources: [] }, "resources/templates/list": { resourceTemplates: [] }, "prompts/list": { prompts: [] },
      "resources/read": { contents: [] }, "prompts/get": { messages: [] }, ping: {},
    };
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method } = JSON.parse(line);
      if (method === "tools/call") require("node:fs").appendFileSync(process.env.TRACE, "called\\n");
      if (id !== undefined) say(results[method] ? { id, result: results[method] } : method === "tools/call" ? { id, result: { content: [] } } : { id, error: { code: -32601, message: "no" } });
    }).on("close", () => process.exit());`;
  command = { command: process.execPath, args: ["-e", script], env: { TRACE: trace } };
});
afterAll(() => stack.disposeAsync());

async function agent(allowCommands: boolean) {
  const connections = new Connections();
  const server = createFettleServer({ connections, timeoutMs: 20_000, allowCommands });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(ours);
  const client = new Client({ name: "agent", version: "1.0.0" });
  await client.connect(theirs);
  const { tools } = await client.listTools();
  const call = async (name: string, args: object) => {
    const before = (await readFile(trace, "utf8")).length;
    const { isError = false, content } = await client.callTool({ name, arguments: { ...args } });
    const touched = (await readFile(trace, "utf8")).slice(before).trim();
    return { isError, touched, text: JSON.stringify(content) };
  };
  return {
    tools,
    call,
    async close() {
      await connections.closeAll();
      await client.close();
    },
  };
}

/** Each tool with the most it can be asked for, in an order in which each finds what it needs. */
const most = (): [name: string, args: object][] => [
  ["connect_server", { name: "one", ...command }],
  ["server_doctor", command],
  ["probe_server", { url: bookshop.url }],
  ["list_servers", {}],
  ...["server_info", "ping_server", "list_tools", "list_resources", "list_prompts"].map(
    (name): [string, object] => [name, { server: "one" }],
  ),
  ["read_resource", { server: "one", uri: "a:b" }],
  ["get_prompt", { server: "one", prompt: "p" }],
  ["call_tool", { server: "one", tool: "delete_all" }],
  ["get_notifications", { clear: true }],
  ["disconnect_server", { server: "one" }],
];

test("a tool that starts a command or calls a tool never says that it only reads", async () => {
  const { tools, call, close } = await agent(true);
  const hints = new Map(tools.map(({ name, annotations }) => [name, annotations]));
  const touching: string[] = [];
  for (const [name, args] of most()) {
    const { isError, touched, text } = await call(name, args);
    expect(isError, `${name}: ${text}`).toBe(false);
    if (touched === "") continue;
    touching.push(name);
    expect(hints.get(name), name).toMatchObject({ readOnlyHint: false, destructiveHint: true });
  }
  await close();
  expect(touching).toEqual(["connect_server", "server_doctor", "call_tool"]);
  expect(
    most()
      .map(([name]) => name)
      .sort(),
  ).toEqual([...hints.keys()].sort());
  const closed = [...hints].filter(([, hint]) => !hint?.openWorldHint).map(([name]) => name);
  expect(closed.sort()).toEqual(["disconnect_server", "get_notifications", "list_servers"]);
  const readOnly = [...hints].filter(([, hint]) => hint?.readOnlyHint).map(([name]) => name);
  expect(readOnly.sort()).toEqual([
    "get_prompt",
    "list_prompts",
    "list_resources",
    "list_servers",
    "list_tools",
    "ping_server",
    "probe_server",
    "read_resource",
    "server_info",
  ]);
});

test("where commands are not allowed, none is started, and the doctor only reads", async () => {
  const { tools, call, close } = await agent(false);
  const hints = new Map(tools.map(({ name, annotations }) => [name, annotations]));
  for (const name of ["server_doctor", "connect_server"]) {
    expect(await call(name, command), name).toMatchObject({
      isError: true,
      touched: "",
      text: expect.stringContaining("--allow-commands"),
    });
  }
  await close();
  expect(hints.get("server_doctor")).toMatchObject({ readOnlyHint: true, destructiveHint: false });
  expect(hints.get("connect_server")).toMatchObject({ readOnlyHint: false, destructiveHint: false });
  expect(hints.get("call_tool")).toMatchObject({ readOnlyHint: false, destructiveHint: true });
});

test("a tool has the powers that it names, and no other", async () => {
  const had: string[][] = [];
  const tool: AgentTool = {
    ...{ name: "look_only", title: "Look", description: "Looks.", input: {}, powers: ["look"] },
    run: async (_, context) => ({ tools: had.push(Object.keys(context).sort()) }),
  };
  agentTools.push(tool);
  try {
    const { call, close } = await agent(true);
    await call("look_only", {});
    await close();
  } finally {
    agentTools.pop();
  }
  expect(had).toEqual([["look", "timeoutMs"]]);
});
