/** @module `fettle mcp`: serves Fettle's own tools to an agent over stdio, until the agent closes its end. Stdout is JSON-RPC alone. */
import { once } from "node:events";
import type { Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { defaultTimeoutMs } from "../../connection/open-server.ts";
import { untilInterrupted } from "../../interrupts.ts";
import { Connections } from "../../mcp-server/connections.ts";
import { createFettleServer } from "../../mcp-server/server.ts";
import { style, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { mcpFlags } from "./flags.ts";

export async function run({
  flags,
  global,
  world,
  print,
}: Call<typeof mcpFlags, NoArguments>): Promise<undefined> {
  const connections = new Connections();
  const timeoutMs = global.timeout ?? defaultTimeoutMs;
  const { allowCommands } = flags;
  const over = new AbortController();
  const interrupted = untilInterrupted(over.signal);
  const left = Promise.race([once(world.stdin, "end"), once(world.stdin, "close")]);
  const serving = serveStdio(() => createFettleServer({ connections, timeoutMs, allowCommands }), {
    // The world's stdout is the process's own, or a test's stream.
    transport: new StdioServerTransport(world.stdin, world.stdout as Writable),
    onerror: (error) => print.warn(text`${error.message}`),
  });
  print.note(text`Fettle is serving MCP on stdio. ${style.dim("It ends when its input does.")}`);
  await Promise.race([left, interrupted]);
  await connections.closeAll();
  await serving.close();
  over.abort();
}
