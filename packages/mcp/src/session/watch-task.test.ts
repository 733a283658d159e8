import { startEverything } from "@fettle/samples";
import { expect, onTestFinished, test } from "vitest";
import { isObject } from "../messages/jsonrpc.ts";
import { Recorder } from "../recording/recording.ts";
import { parseTarget } from "../target.ts";
import { connect } from "./connect.ts";
import { taskOf, watchTask } from "./watch-task.ts";

test("given up while it is being looked at, a task that asks is given up and not a failure", async () => {
  const sample = await startEverything();
  onTestFinished(() => sample.close());
  const given = new AbortController();
  let isAsked = false;
  const recorder = new Recorder({
    onEntry: (entry) => {
      if (!isAsked || entry.kind !== "message" || entry.direction !== "send") return;
      if (isObject(entry.message) && entry.message.method === "tasks/get") given.abort();
    },
  });
  const connection = await connect(parseTarget({ url: sample.url }), { recorder, takesTasks: true });
  onTestFinished(() => connection.close());
  const task = taskOf(await connection.callTool("confirm_delete", { filename: "a.txt" }, { task: {} }));
  const watched = await watchTask(connection, String(task.taskId), {
    wire: "extension",
    pollIntervalMs: 50,
    signal: given.signal,
    request: {},
    handlers: {
      elicitation: (_params, { signal }) => {
        isAsked = true;
        return new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        });
      },
    },
  });
  expect(watched).toMatchObject({ outcome: "aborted", task: { status: "input_required" } });
});
