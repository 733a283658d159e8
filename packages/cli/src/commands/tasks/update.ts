/** @module `fettle tasks update`: answers what a task asks for, by hand. */
import { updateTask } from "@fettle/mcp";
import { withServer } from "../../connection/open-server.ts";
import { suggest } from "../../connection/suggest.ts";
import type { Outcome } from "../../output/printer.ts";
import { style, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import { requireWire } from "../../tasks/wire.ts";
import type { tasksUpdateFlags } from "./flags.ts";

export async function run(call: Call<typeof tasksUpdateFlags, NoArguments>): Promise<Outcome> {
  const { taskId, wire } = call.flags;
  const responses = await call.input.jsonObject("--input-responses", call.flags.inputResponses);
  return withServer(call, async ({ connection, deadline }) => {
    requireWire(connection, wire);
    const answer = await updateTask(connection, taskId, responses, { signal: deadline.signal });
    return {
      value: answer,
      human: () => text`${style.green("✓")} Answered task ${taskId}.`,
      hint: suggest(["tasks", "watch"], ["--task-id", taskId]),
    };
  });
}
