/**
 * Tasks on the wire. The SDK knows the method names but can neither return a task from a tool nor see a request for
 * one, so a tool hands its raw answer over in a marked result and this layer, between server and transport, unpacks it.
 * Eras differ: 2026-07-28 has the extension (the server decides), 2025-11-25 the experimental core feature (the client asks).
 * @module
 */
import {
  type CallToolResult,
  type JSONRPCMessage,
  type McpServer,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  RELATED_TASK_META_KEY,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { clientCapabilities } from "../client-capabilities.ts";
import { isTerminal, POLL_INTERVAL_MS, TASK_TTL_MS, type Task, type TaskStore } from "./task-store.ts";

export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";
export type Era = "legacy" | "modern";

const RAW_ANSWER = "fettle.samples/raw-answer";
const TASK_REQUESTED = "fettle.samples/task-requested";
const ofTask = z.looseObject({ taskId: z.string() });
const anything = z.looseObject({}).optional();

type RawAnswer =
  | { result: Record<string, unknown> }
  | { error: { code: number; message: string; data?: unknown } };

/** A tool result that leaves the server as exactly this result or JSON-RPC error. */
export function rawAnswer(answer: RawAnswer): CallToolResult {
  return { content: [], _meta: { [RAW_ANSWER]: answer } };
}

/** Whether the client of the stateful era asked for a task with this call. */
export function isTaskRequested(ctx: ServerContext): boolean {
  return ctx.mcpReq._meta?.[TASK_REQUESTED] === true;
}

export function declaresTasks(server: McpServer, ctx: ServerContext): boolean {
  return clientCapabilities(server, ctx).extensions?.[TASKS_EXTENSION] !== undefined;
}

export function missingTasksCapability(): MissingRequiredClientCapabilityError {
  return new MissingRequiredClientCapabilityError({
    requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
  });
}

export function createdTask(task: Task, era: Era): CallToolResult {
  return rawAnswer({
    result: era === "modern" ? { resultType: "task", ...summary(task) } : { task: legacyTask(task) },
  });
}

/** What `tasks/get` and task notifications say in the stateless era: the task with its payload inlined. */
export function detailedTask(task: Task): Record<string, unknown> {
  const { inputRequests, result, error } = task;
  return {
    ...summary(task),
    ...(inputRequests && { inputRequests }),
    ...(result && { result }),
    ...(error && { error }),
  };
}

export function speakTasks(server: McpServer, store: TaskStore, era: Era): void {
  const connect = server.connect.bind(server);
  server.connect = async (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(unpack(message), options);
    await connect(transport);
    const receive = transport.onmessage;
    transport.onmessage = (message, extra) => receive?.(markTaskRequest(message), extra);
  };

  const find = (taskId: string, ctx: ServerContext): Task => {
    if (era === "modern" && !declaresTasks(server, ctx)) throw missingTasksCapability();
    const task = store.find(taskId);
    if (!task) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Task not found: ${taskId}`);
    return task;
  };
  const { server: protocol } = server;

  protocol.setRequestHandler("tasks/get", { params: ofTask }, (params, ctx) => {
    const task = find(params.taskId, ctx);
    return era === "modern" ? detailedTask(task) : legacyTask(task);
  });

  protocol.setRequestHandler("tasks/cancel", { params: ofTask }, (params, ctx) => {
    const task = find(params.taskId, ctx);
    if (era === "legacy" && isTerminal(task)) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The task is already ${task.status}.`);
    }
    store.cancel(task.taskId);
    return era === "modern" ? {} : legacyTask(task);
  });

  if (era === "modern") {
    // The responses reach the handler through the context: the SDK lifts `inputResponses` out of every request.
    protocol.setRequestHandler("tasks/update", { params: ofTask }, (params, ctx) => {
      store.answer(find(params.taskId, ctx).taskId, ctx.mcpReq.inputResponses ?? {});
      return {};
    });
    return;
  }

  protocol.setRequestHandler("tasks/list", { params: anything }, () => ({
    tasks: store.list().map(legacyTask),
  }));

  protocol.setRequestHandler("tasks/result", { params: ofTask }, async (params, ctx) => {
    const task = find(params.taskId, ctx);
    await store.settled(task);
    if (task.error) throw new ProtocolError(task.error.code, task.error.message);
    if (!task.result) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "The task was cancelled.");
    return { ...task.result, _meta: { [RELATED_TASK_META_KEY]: { taskId: task.taskId } } };
  });
}

function summary({ taskId, status, statusMessage, createdAt, lastUpdatedAt }: Task) {
  return {
    taskId,
    status,
    ...(statusMessage && { statusMessage }),
    createdAt,
    lastUpdatedAt,
    ttlMs: TASK_TTL_MS,
    pollIntervalMs: POLL_INTERVAL_MS,
  };
}

function legacyTask(task: Task) {
  const { ttlMs: ttl, pollIntervalMs: pollInterval, ...rest } = summary(task);
  return { ...rest, ttl, pollInterval };
}

function unpack(message: JSONRPCMessage): JSONRPCMessage {
  if (!("result" in message)) return message;
  const { [RAW_ANSWER]: raw, ..._meta } = message.result._meta ?? {};
  if (!raw) return message;
  const answer = raw as RawAnswer;
  const { jsonrpc, id } = message;
  if ("error" in answer) return { jsonrpc, id, error: answer.error };
  return { jsonrpc, id, result: { ...answer.result, ...(Object.keys(_meta).length > 0 && { _meta }) } };
}

function markTaskRequest<T extends JSONRPCMessage>(message: T): T {
  if (!("method" in message) || message.method !== "tools/call" || !message.params?.task) return message;
  const _meta = { ...(message.params._meta as object | undefined), [TASK_REQUESTED]: true };
  return { ...message, params: { ...message.params, _meta } };
}
