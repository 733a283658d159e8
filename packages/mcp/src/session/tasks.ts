/** @module Long work on either wire: the in-core tasks of 2025-11-25 and the tasks extension of 2026-07-28. */
import { McpError } from "../failure.ts";
import { isObject, type JsonObject } from "../messages/jsonrpc.ts";
import { taskDeclaration, tasksExtension } from "../messages/stateless-meta.ts";
import type { RequestOptions } from "../wire/dialog.ts";
import type { Connection } from "./connection.ts";

export type TaskWire = "legacy" | "extension" | "none";

/** Which way this connection speaks of tasks, by what the server advertises. */
export function taskWireOf(connection: Connection): TaskWire {
  const { capabilities, era, protocolVersion } = connection;
  if (era === "stateless") {
    const extensions = isObject(capabilities.extensions) ? capabilities.extensions : {};
    return isObject(extensions[tasksExtension]) ? "extension" : "none";
  }
  return protocolVersion === "2025-11-25" && isObject(capabilities.tasks) ? "legacy" : "none";
}

export function getTask(
  connection: Connection,
  taskId: string,
  options?: RequestOptions,
): Promise<JsonObject> {
  return taskRequest(connection, "tasks/get", { taskId }, options);
}

export function cancelTask(
  connection: Connection,
  taskId: string,
  options?: RequestOptions,
): Promise<JsonObject> {
  return taskRequest(connection, "tasks/cancel", { taskId }, options);
}

/** Only the stateful wire lists tasks. */
export function listTasks(
  connection: Connection,
  cursor?: string,
  options?: RequestOptions,
): Promise<JsonObject> {
  connection.assertMethod("tasks/list");
  return taskRequest(connection, "tasks/list", cursor === undefined ? {} : { cursor }, options);
}

/** The finished task's result: asked for (stateful; waits for the end), or read out of the task (extension). */
export async function getTaskResult(
  connection: Connection,
  taskId: string,
  options?: RequestOptions,
): Promise<JsonObject> {
  if (connection.era === "stateful") return taskRequest(connection, "tasks/result", { taskId }, options);
  const task = await getTask(connection, taskId, options);
  if (isObject(task.result)) return task.result;
  if (isObject(task.error)) {
    throw new McpError("RPC_ERROR", String(task.error.message ?? "The task failed."), {
      details: { method: "tasks/get", rpcCode: Number(task.error.code), data: task.error.data },
    });
  }
  throw new McpError("NO_ANSWER", `The task is ${String(task.status)}; it has no result yet.`, {
    hint: "Wait until its status is completed or failed.",
    details: { data: task },
  });
}

/** Answers what a task of the extension asks for. */
export function updateTask(
  connection: Connection,
  taskId: string,
  inputResponses: JsonObject,
  options?: RequestOptions,
): Promise<JsonObject> {
  if (connection.era === "stateful") {
    throw new McpError("NOT_SUPPORTED", `tasks/update does not exist in ${connection.protocolVersion}.`);
  }
  return taskRequest(connection, "tasks/update", { taskId, inputResponses }, options);
}

async function taskRequest(
  connection: Connection,
  method: string,
  params: JsonObject,
  options: RequestOptions = {},
): Promise<JsonObject> {
  const declared =
    connection.era === "stateless"
      ? { ...params, _meta: taskDeclaration(connection.clientCapabilities) }
      : params;
  const result = await connection.request(method, declared, options);
  if (isObject(result)) return result;
  throw new McpError("INVALID_RESULT", `The result of ${method} is not an object.`, { details: { method } });
}
