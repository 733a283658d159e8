/** @module A tool called in front of a person: at once, or as a task that is followed to its end, asks them and is cancelled with them. */
import { limits } from "@fettle/contract/core";
import {
  type Connection,
  cancelTask,
  getTaskResult,
  type JsonObject,
  McpError,
  taskOf,
  taskWireOf,
  type Watched,
  watchTask,
} from "@fettle/mcp";
import type { Attending } from "./attended.ts";

export interface ToolRequest {
  toolName: string;
  parameters?: Record<string, unknown>;
  /** Asked for as a task, where the server has them. */
  taskOptions?: unknown;
}

export async function callAttended(
  connection: Connection,
  { toolName, parameters = {}, taskOptions }: ToolRequest,
  attending: Attending,
  signal: AbortSignal,
): Promise<JsonObject> {
  const wire = taskWireOf(connection);
  // Before 2026-07-28 the client asks for a task; since then it says that it understands them, and the server decides.
  const isTask =
    wire === "extension" ? attending.declares.tasks : wire === "legacy" && taskOptions !== undefined;
  const answer = await connection.callTool(toolName, parameters, {
    signal,
    ...attending.options,
    ...(isTask && { task: taskOptions ?? {} }),
  });
  const { taskId } = isTask ? taskOf(answer) : {};
  if (typeof taskId !== "string") return answer;
  const tell = (task: JsonObject) => {
    const { status, statusMessage } = task;
    attending.hear({
      event: "task",
      data: {
        taskId,
        status: String(status),
        ...(typeof statusMessage === "string" && { statusMessage }),
      },
    });
  };
  tell(taskOf(answer));
  const { handlers, timeouts } = attending.options;
  const watched = await watchTask(connection, taskId, {
    wire,
    signal,
    handlers,
    durationMs: limits.live.attended.totalMs,
    maxInputRounds: limits.live.attended.waiting,
    request: timeouts ? { timeouts } : {},
    onStatus: tell,
  });
  if (watched.outcome === "completed" && watched.result) return watched.result;
  if (watched.outcome === "failed") return getTaskResult(connection, taskId, { signal });
  if (watched.outcome !== "aborted") throw endOf(watched);
  // What the server says to it changes nothing: nobody waits any more.
  await cancelTask(connection, taskId).catch(() => {});
  throw signal.reason;
}

const ends: Partial<Record<Watched["outcome"], string>> = {
  cancelled: "The server cancelled the task",
  expired: "The server no longer knows the task",
  "input-required": "The task asks again and again",
};

function endOf({ outcome, task }: Watched): McpError {
  const why = typeof task?.statusMessage === "string" ? `: ${task.statusMessage}` : ".";
  if (outcome === "timeout") return new McpError("TIMEOUT", "The task did not end in time.");
  return new McpError("NO_ANSWER", `${ends[outcome] ?? "The task could not be followed"}${why}`, {
    details: { method: "tasks/get", data: task },
  });
}
