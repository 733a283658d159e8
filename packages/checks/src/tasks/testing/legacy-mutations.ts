/** @module Faults in the tasks of 2025-11-25. */
import { isObject, type JsonObject } from "@fettle/mcp";
import {
  error,
  firstLooks,
  paramsOf,
  result,
  rpcError,
  type TasksMutation,
  taskIdOf,
  toolOf,
} from "./tasks-mutation.ts";

export const legacyMutations: readonly TasksMutation[] = [
  {
    name: "the extension is advertised too",
    fault: () =>
      result("initialize", (answer) => {
        (answer.capabilities as JsonObject).extensions = { "io.modelcontextprotocol/tasks": {} };
        return undefined;
      }),
    advises: ["tasks-wire-resolvable"],
  },
  {
    name: "a created task is flat",
    fault: () => result("tools/call", (answer) => (isObject(answer.task) ? answer.task : undefined)),
    fails: ["tasks-result-type-discipline"],
  },
  {
    name: "a tool becomes a task unasked",
    fault: () => ({
      request: (request) => {
        if (toolOf(request) === "failing_job") paramsOf(request).task = { ttl: 1000 };
      },
    }),
    fails: ["tasks-undeclared-creation-refused"],
  },
  {
    name: "a task is created as completed",
    fault: () =>
      result("tools/call", (created) =>
        isObject(created.task) ? { ...created, task: { ...created.task, status: "completed" } } : undefined,
      ),
    fails: ["tasks-starts-working"],
  },
  {
    name: "an ended task works again",
    fault: () => {
      const ended = new Set<string>();
      return result("tasks/get", (task, request) => {
        const id = taskIdOf(request);
        if (ended.has(id) && task.status === "completed") return { ...task, status: "working" };
        if (task.status === "completed") ended.add(id);
        return undefined;
      });
    },
    fails: ["tasks-starts-working"],
    advises: ["tasks-no-early-expiry"],
  },
  {
    name: "a task has the new names of its life",
    fault: () => result("tasks/get", ({ ttl, ...task }) => ({ ...task, ttlMs: ttl })),
    fails: ["tasks-ttl-shape"],
    advises: ["tasks-ttl-shape"],
  },
  {
    name: "a life is a text",
    fault: () => result("tasks/get", (task) => ({ ...task, ttl: "60000" })),
    fails: ["tasks-ttl-integer-shape"],
  },
  {
    name: "a task does not say since when",
    fault: () => result("tasks/get", ({ createdAt: _date, ...task }) => task),
    fails: ["tasks-status-payload-shape"],
  },
  {
    name: "a status does not exist",
    fault: () => {
      const isFirstLook = firstLooks();
      return result("tasks/get", (task, request) =>
        isFirstLook(request) && task.status !== "cancelled" ? { ...task, status: "running" } : undefined,
      );
    },
    fails: ["tasks-status-payload-shape"],
  },
  {
    name: "a fetched result does not name its task",
    fault: () => result("tasks/result", ({ _meta, ...rest }) => rest),
    fails: ["tasks-inline-result"],
  },
  {
    name: "tasks/result is answered with the task",
    fault: () =>
      result("tasks/result", ({ content: _content, ...rest }) => ({ ...rest, status: "completed" })),
    fails: ["tasks-inline-result"],
  },
  {
    name: "an unknown task is refused with another error",
    fault: () => error(["tasks/get"], (own) => (own.code = -32000)),
    fails: ["tasks-invalid-task-id-rejected"],
  },
  {
    name: "a cancelled task is said to be working",
    fault: () => result("tasks/cancel", (task) => ({ ...task, status: "working" })),
    fails: ["tasks-cancel-ack-shape"],
  },
  {
    name: "a cancelled task is forgotten at once",
    fault: () => {
      const cancelled = new Set<string>();
      return {
        message: (message, request) => {
          const isAboutCancelled = cancelled.has(taskIdOf(request));
          if (request.body?.method === "tasks/cancel" && isObject(message.result))
            cancelled.add(taskIdOf(request));
          return isAboutCancelled ? rpcError(message, -32602) : message;
        },
      };
    },
  },
  {
    name: "an ended task may be cancelled again",
    fault: () => ({
      message: (message, request) =>
        request.body?.method === "tasks/cancel" &&
        isObject(message.error) &&
        paramsOf(request).taskId !== "fettle-no-such-task"
          ? { jsonrpc: "2.0", id: message.id, result: { status: "cancelled" } }
          : message,
    }),
    fails: ["tasks-cancel-ack-shape"],
  },
];
