/** @module `fettle tasks get`: one task as it stands. */
import { getTask, taskOf } from "@fettle/mcp";
import { withServer } from "../../connection/open-server.ts";
import { outline } from "../../output/outline.ts";
import type { Outcome } from "../../output/printer.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import { requireWire } from "../../tasks/wire.ts";
import type { taskFlags } from "./flags.ts";

export async function run(call: Call<typeof taskFlags, NoArguments>): Promise<Outcome> {
  const { taskId, wire } = call.flags;
  return withServer(call, async ({ connection, deadline }) => {
    requireWire(connection, wire);
    const task = await getTask(connection, taskId, { signal: deadline.signal });
    return { value: task, human: () => outline(taskOf(task)) };
  });
}
