/** @module `fettle tasks cancel`: asks a server to stop a task. */
import { cancelTask } from "@fettle/mcp";
import { withServer } from "../../connection/open-server.ts";
import { suggest } from "../../connection/suggest.ts";
import type { Outcome } from "../../output/printer.ts";
import { style, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import { requireWire } from "../../tasks/wire.ts";
import type { taskFlags } from "./flags.ts";

export async function run(call: Call<typeof taskFlags, NoArguments>): Promise<Outcome> {
  const { taskId, wire } = call.flags;
  return withServer(call, async ({ connection, deadline }) => {
    requireWire(connection, wire);
    const answer = await cancelTask(connection, taskId, { signal: deadline.signal });
    return {
      value: answer,
      human: () =>
        text`${style.green("✓")} The server was asked to stop task ${taskId}; it may still take a moment.`,
      hint: suggest(["tasks", "get"], ["--task-id", taskId]),
    };
  });
}
