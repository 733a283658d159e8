/** @module The tools Fettle offers to agents: connect, look around, call, and find out what is wrong. */
import { doctor, initInfoOf, probe, toolsMetadataOf } from "@fettle/checks";
import { limits } from "@fettle/contract/core";
import type { Connection, HttpTarget, Target } from "@fettle/mcp";
import { z } from "zod";
import { version } from "../version.ts";
import type { Connections, TargetFields } from "./connections.ts";

/** Everything a tool can do. A tool gets what it names and no more, so its hints follow from what it was given. */
export interface Powers {
  /** Reads a connected server. */
  look(server: string): Looking;
  /** Calls a connected server's tools, which may do anything. */
  call(server: string): Pick<Connection, "callTool">;
  /** Sends requests to an address. */
  address(fields: TargetFields): HttpTarget;
  /** Reaches an address or, where commands are allowed, runs a command. */
  reach(fields: TargetFields): Target;
  /** The connections there are. */
  list(): ReturnType<Connections["list"]>;
  /** Opens and closes Fettle's own connections, and forgets their notifications. */
  keep: Connections;
}

type Looking = Pick<
  Connection,
  | "ping"
  | "listTools"
  | "listResources"
  | "listResourceTemplates"
  | "listPrompts"
  | "readResource"
  | "getPrompt"
> &
  Parameters<typeof initInfoOf>[0];

export interface AgentTool<S extends z.ZodRawShape = z.ZodRawShape, P extends keyof Powers = keyof Powers> {
  name: string;
  title: string;
  description: string;
  input: S;
  powers: readonly P[];
  run(input: z.output<z.ZodObject<S>>, context: Pick<Powers, P> & { timeoutMs: number }): Promise<unknown>;
}

/** Keeps the input's type while the list holds them all. */
function tool<S extends z.ZodRawShape, P extends keyof Powers>(declaration: AgentTool<S, P>): AgentTool {
  return declaration;
}

/** Hosts skip their approval by these, so they say the worst that a tool can do. */
export function hintsOf(
  powers: readonly (keyof Powers)[],
  allowCommands: boolean,
): { readOnlyHint: boolean; destructiveHint: boolean; openWorldHint: boolean } {
  const has = (power: keyof Powers) => powers.includes(power);
  const canDestroy = has("call") || (has("reach") && allowCommands);
  return {
    readOnlyHint: !canDestroy && !has("keep"),
    destructiveHint: canDestroy,
    openWorldHint: powers.some((power) => power !== "keep" && power !== "list"),
  };
}

const targetShape = {
  url: z.string().optional().describe("Address of a server over HTTP, such as http://127.0.0.1:3001/mcp"),
  accessToken: z.string().optional().describe("Bearer token; only with url"),
  headers: z.record(z.string(), z.string()).optional().describe("Request headers; only with url"),
  command: z
    .string()
    .optional()
    .describe("Command of a server over stdio; only where the person running Fettle allowed commands"),
  args: z.array(z.string()).optional().describe("Its arguments; only with command"),
  env: z.record(z.string(), z.string()).optional().describe("Variables for it; only with command"),
  cwd: z.string().optional().describe("Folder to start it in; only with command"),
  timeoutMs: z
    .number()
    .int()
    .positive()
    .max(limits.request.ms.max)
    .optional()
    .describe("Longest time one request may take"),
};
const server = z.string().describe("Name from connect_server or list_servers");
const cursor = z.string().optional().describe("One page, starting here; without it the whole list");

const page = (given: string | undefined) =>
  given === undefined ? {} : { cursor: given, firstPageOnly: true };

export const agentTools: AgentTool[] = [
  tool({
    name: "server_doctor",
    title: "Examine a server",
    description:
      "Examines an MCP server step by step and says what is wrong: a verdict on each step, and for each fault its cause, the evidence and what to try next. Start here when a server does not work; no connection is needed first.",
    input: targetShape,
    powers: ["reach"],
    run: (input, { reach, timeoutMs }) =>
      doctor(reach(input), {
        timeoutMs: input.timeoutMs ?? timeoutMs,
        clientInfo: { name: "fettle", version },
      }),
  }),
  tool({
    name: "probe_server",
    title: "Look at an HTTP server from outside",
    description:
      "Sends a few raw requests to an HTTP server without connecting, and shows each request and answer: which transport it speaks, and which OAuth metadata it publishes.",
    input: {
      url: z.string(),
      accessToken: targetShape.accessToken,
      headers: targetShape.headers,
      timeoutMs: targetShape.timeoutMs,
    },
    powers: ["address"],
    run: (input, { address, timeoutMs }) =>
      probe(address(input), {
        timeoutMs: input.timeoutMs ?? timeoutMs,
        clientInfo: { name: "fettle", version },
      }),
  }),
  tool({
    name: "connect_server",
    title: "Connect to a server",
    description:
      "Opens a connection to an MCP server and keeps it under a name for the other tools. Give exactly one of url and command. Disconnect when done.",
    input: {
      name: z.string().min(1).optional().describe("Name to keep it under; made up from the target otherwise"),
      ...targetShape,
    },
    powers: ["reach", "keep"],
    async run({ name, timeoutMs: asked, ...fields }, { keep, reach, timeoutMs }) {
      const connected = await keep.open(reach(fields), { name, timeoutMs: asked ?? timeoutMs });
      return {
        server: connected.name,
        status: "connected",
        initialization: initInfoOf(connected.connection),
      };
    },
  }),
  tool({
    name: "disconnect_server",
    title: "Disconnect a server",
    description: "Ends a connection and forgets its notifications.",
    input: { server },
    powers: ["keep"],
    async run(input, { keep }) {
      await keep.close(input.server);
      return { server: input.server, status: "disconnected" };
    },
  }),
  tool({
    name: "list_servers",
    title: "List connected servers",
    description: "Lists the servers connected through connect_server, with their names and state.",
    input: {},
    powers: ["list"],
    run: async (_, { list }) => ({ servers: list() }),
  }),
  tool({
    name: "server_info",
    title: "What a server says of itself",
    description: "Shows a connected server's name, version, protocol version, capabilities and instructions.",
    input: { server },
    powers: ["look"],
    run: async (input, { look }) => ({
      server: input.server,
      initialization: initInfoOf(look(input.server)),
    }),
  }),
  tool({
    name: "ping_server",
    title: "Is a server alive?",
    description: "Asks a connected server whether it is alive, and how long it takes to answer.",
    input: { server },
    powers: ["look"],
    async run(input, { look }) {
      const { durationMs } = await look(input.server).ping();
      return { server: input.server, status: "ok", latencyMs: durationMs };
    },
  }),
  tool({
    name: "list_tools",
    title: "List a server's tools",
    description: "Lists the tools of a connected server with their input schemas. Use it before call_tool.",
    input: { server, cursor },
    powers: ["look"],
    async run(input, { look }) {
      const { items, nextCursor } = await look(input.server).listTools(page(input.cursor));
      return {
        tools: items,
        ...(nextCursor !== undefined && { nextCursor }),
        toolsMetadata: toolsMetadataOf(items),
      };
    },
  }),
  tool({
    name: "call_tool",
    title: "Call a server's tool",
    description:
      "Calls a tool of a connected server and returns its result as it came. The tool may change things; its own description says what.",
    input: {
      server,
      tool: z.string().describe("Name from list_tools"),
      arguments: z
        .record(z.string(), z.unknown())
        .optional()
        .describe("As the tool's input schema wants them"),
    },
    powers: ["call"],
    run: (input, { call }) => call(input.server).callTool(input.tool, input.arguments ?? {}),
  }),
  tool({
    name: "list_resources",
    title: "List a server's resources",
    description:
      "Lists what can be read from a connected server; with templates true, the addresses with blanks instead.",
    input: { server, cursor, templates: z.boolean().optional() },
    powers: ["look"],
    async run(input, { look }) {
      const connection = look(input.server);
      const next = (nextCursor: string | undefined) => (nextCursor === undefined ? {} : { nextCursor });
      if (input.templates) {
        const walk = await connection.listResourceTemplates(page(input.cursor));
        return { resourceTemplates: walk.items, ...next(walk.nextCursor) };
      }
      const walk = await connection.listResources(page(input.cursor));
      return { resources: walk.items, ...next(walk.nextCursor) };
    },
  }),
  tool({
    name: "read_resource",
    title: "Read a server's resource",
    description: "Reads one resource of a connected server.",
    input: { server, uri: z.string().describe("From list_resources, or a template filled in") },
    powers: ["look"],
    run: async (input, { look }) => ({
      content: await look(input.server).readResource(input.uri),
    }),
  }),
  tool({
    name: "list_prompts",
    title: "List a server's prompts",
    description: "Lists the prompts of a connected server and their arguments.",
    input: { server, cursor },
    powers: ["look"],
    async run(input, { look }) {
      const { items, nextCursor } = await look(input.server).listPrompts(page(input.cursor));
      return { prompts: items, ...(nextCursor !== undefined && { nextCursor }) };
    },
  }),
  tool({
    name: "get_prompt",
    title: "Fill in a server's prompt",
    description: "Fills in a prompt of a connected server and returns the messages it becomes.",
    input: {
      server,
      prompt: z.string().describe("Name from list_prompts"),
      arguments: z.record(z.string(), z.string()).optional(),
    },
    powers: ["look"],
    run: async (input, { look }) => ({
      content: await look(input.server).getPrompt(input.prompt, input.arguments ?? {}),
    }),
  }),
  tool({
    name: "get_notifications",
    title: "What servers said of their own accord",
    description:
      "Returns notifications that connected servers sent: log messages, progress, changed lists, updated resources. The newest 1,000 are kept.",
    input: {
      server: server.optional(),
      method: z.string().optional().describe("Only this method, such as notifications/message"),
      clear: z.boolean().optional().describe("Forget them afterwards"),
    },
    powers: ["keep"],
    run: async (input, { keep }) => keep.notices(input),
  }),
];
