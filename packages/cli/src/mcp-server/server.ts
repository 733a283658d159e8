/** @module Fettle as an MCP server, built on the official SDK. Results are one text of JSON; a failure is a result that says so. */
import { type CallToolResult, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { toCliError } from "../cli-error.ts";
import { asCliError } from "../connection/failure.ts";
import { errorEnvelope } from "../output/error.ts";
import { version } from "../version.ts";
import { addressFrom, type Connections, targetFrom } from "./connections.ts";
import { agentTools, hintsOf, type Powers } from "./tools.ts";

export interface FettleServerOptions {
  connections: Connections;
  timeoutMs: number;
  allowCommands: boolean;
}

const instructions =
  "Tests other MCP servers. To find out why a server does not work, call server_doctor with its url. To look around or call tools, connect_server first, then use the name it returns.";

export function createFettleServer(options: FettleServerOptions): McpServer {
  const { connections, timeoutMs, allowCommands } = options;
  const all: Powers = {
    look: (name) => connections.find(name).connection,
    call: (name) => connections.find(name).connection,
    address: addressFrom,
    reach: (fields) => targetFrom(fields, allowCommands),
    list: () => connections.list(),
    keep: connections,
  };
  const server = new McpServer(
    { name: "fettle", title: "Fettle CLI", version },
    { instructions, capabilities: { tools: { listChanged: false } } },
  );
  for (const { name, title, description, input, powers, run } of agentTools) {
    // What a tool does not name is not there when it runs.
    const named = Object.fromEntries(powers.map((power) => [power, all[power]])) as Partial<Powers>;
    const context = { ...(named as Powers), timeoutMs };
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: z.object(input),
        annotations: hintsOf(powers, allowCommands),
      },
      async (given): Promise<CallToolResult> => {
        try {
          return textResult(await run(given, context));
        } catch (error) {
          return { ...textResult(errorEnvelope(toCliError(asCliError(error)))), isError: true };
        }
      },
    );
  }
  return server;
}

function textResult(value: unknown): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(value, null, 2) }] };
}
