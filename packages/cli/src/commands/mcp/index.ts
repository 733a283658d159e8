/** @module Declares `mcp`: Fettle as a server for agents. */
import { command } from "../../program/command.ts";
import { mcpFlags } from "./flags.ts";

export const mcpCommands = [
  command({
    name: "mcp",
    section: "local",
    summary: "Serve these tools to an agent, over stdio",
    description: [
      "Add `fettle mcp` to an agent's MCP configuration. Stdout carries JSON-RPC only; --timeout is the default for requests to the servers under test. An agent may name any URL; it may start commands only with --allow-commands.",
    ],
    arguments: {},
    flags: mcpFlags,
    examples: [{ command: "fettle mcp --quiet", does: "The command to put into an agent's configuration" }],
    load: () => import("./mcp.ts"),
  }),
];
