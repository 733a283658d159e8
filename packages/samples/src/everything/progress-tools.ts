/**
 * Tools that say something while they work: log messages, progress, and a stream that breaks off and is resumed.
 * @module
 */
import { setTimeout as wait } from "node:timers/promises";
import type { McpServer } from "@modelcontextprotocol/server";
import { NO_INPUT } from "./asking-tools.ts";

export function addProgressTools(server: McpServer): void {
  for (const name of ["test_tool_with_logging", "test_logging_tool"]) {
    server.registerTool(
      name,
      { description: "Logs three messages at level info while it works.", inputSchema: NO_INPUT },
      async (_args, ctx) => {
        await ctx.mcpReq.log("info", "Tool execution started");
        await wait(50);
        await ctx.mcpReq.log("info", "Tool processing data");
        await wait(50);
        await ctx.mcpReq.log("info", "Tool execution completed");
        return { content: [{ type: "text", text: "Three messages were logged." }] };
      },
    );
  }

  server.registerTool(
    "test_tool_with_progress",
    { description: "Reports progress 0, 50 and 100 of 100 when asked to.", inputSchema: NO_INPUT },
    async (_args, ctx) => {
      const progressToken = ctx.mcpReq._meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        // Of what was cancelled nothing more is said.
        if (progressToken !== undefined && !ctx.mcpReq.signal.aborted) {
          await ctx.mcpReq.notify({
            method: "notifications/progress",
            params: { progressToken, progress, total: 100, message: `${progress} of 100` },
          });
        }
        await wait(50);
      }
      return { content: [{ type: "text", text: "Done." }] };
    },
  );

  server.registerTool(
    "test_reconnection",
    {
      description: "Closes its own event stream while working; the result waits for the client to resume.",
      inputSchema: NO_INPUT,
    },
    async (_args, ctx) => {
      // Only the session transport of the stateful era can break off and resume; elsewhere the call just takes a moment.
      ctx.http?.closeSSE?.();
      await wait(100);
      return { content: [{ type: "text", text: "Resumed after the stream was closed." }] };
    },
  );
}
