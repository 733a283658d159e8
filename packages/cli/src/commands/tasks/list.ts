/** @module `fettle tasks list`: the tasks a server keeps; only the wire of 2025-11-25 has this. */
import { isObject, listTasks } from "@fettle/mcp";
import { withServer } from "../../connection/open-server.ts";
import { suggest } from "../../connection/suggest.ts";
import type { Outcome } from "../../output/printer.ts";
import { count, table } from "../../output/table.ts";
import { lines, style } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import { requireWire } from "../../tasks/wire.ts";
import type { tasksListFlags } from "./flags.ts";

export async function run(call: Call<typeof tasksListFlags, NoArguments>): Promise<Outcome> {
  const { flags } = call;
  return withServer(call, async ({ connection, deadline }) => {
    requireWire(connection, flags.wire);
    const answer = await listTasks(connection, flags.cursor, { signal: deadline.signal });
    const tasks = Array.isArray(answer.tasks) ? answer.tasks.filter(isObject) : [];
    const rows = tasks.map(({ taskId, status, statusMessage, createdAt }) =>
      [taskId, status, statusMessage, createdAt].map((cell) => String(cell ?? "")),
    );
    const columns = [
      { header: "TASK" },
      { header: "STATUS" },
      { header: "MESSAGE", shrinks: true },
      { header: "CREATED" },
    ];
    const [first] = tasks;
    return {
      value: answer,
      human: ({ width }) =>
        lines([
          ...(rows.length > 0
            ? [
                table(
                  columns,
                  rows.map(([id = "", ...rest]) => [style.bold(id), ...rest]),
                  width,
                ),
                "",
              ]
            : []),
          count(tasks.length, "task"),
        ]),
      hint: first && suggest(["tasks", "get"], ["--task-id", String(first.taskId)]),
    };
  });
}
