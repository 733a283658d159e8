/** @module Fettle as an MCP server, built on the official SDK. Results are one text of JSON; a failure is a result that says so. */
import { type CallToolResult, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { toCliError } from "../cli-error.ts";
import { asCliError } from "../connection/failure.ts";
import { errorEnvelope } from "../output/error.ts";
import { version } from "../version.ts";
import { type AgentToolContext, agentTools } from "./tools.ts";

const instructions =
  "Tests other MCP servers. To find out why a server does not work, call server_doctor with its url. To look around or call tools, connect_server first, then use the name it returns.";

export function createFettleServer(context: AgentToolContext): McpServer {
  const server = new McpServer(
    { name: "fettle", title: "Fettle CLI", version },
    { instructions, capabilities: { tools: { listChanged: false } } },
  );
  for (const { name, title, description, input, reads, run } of agentTools) {
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: z.object(input),
        annotations: { readOnlyHint: reads, destructiveHint: false, openWorldHint: true },
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
