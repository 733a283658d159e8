/** @module Faults in the tasks extension of 2026-07-28. */
import { isObject, type JsonObject } from "@fettle/mcp";
import {
  declareFor,
  declares,
  error,
  firstLooks,
  paramsOf,
  result,
  rpcError,
  type TasksMutation,
  taskIdOf,
  toolOf,
} from "./tasks-mutation.ts";

const created = (change: (task: JsonObject) => JsonObject | undefined) =>
  result("tools/call", (answer) => (answer.resultType === "task" ? change(answer) : undefined));
const looked = (change: Parameters<typeof result>[1]) => result("tasks/get", change);
const lookedWhen = (status: string, change: (task: JsonObject) => void) =>
  looked((task) => {
    if (task.status === status) change(task);
    return undefined;
  });
/** A task that was quick is shown as one that still works: a fault may need to be seen before the end, on any machine. */
const atWork = ({ result: _own, ...task }: JsonObject): JsonObject =>
  task.status === "completed" ? { ...task, status: "working" } : task;
const isToolError = ({ result: own }: JsonObject) => isObject(own) && own.isError === true;

export const extensionMutations: readonly TasksMutation[] = [
  {
    name: "the other revision's capability is advertised too",
    fault: () =>
      result("server/discover", (answer) => {
        (answer.capabilities as JsonObject).tasks = {};
        return undefined;
      }),
    advises: ["tasks-wire-resolvable"],
  },
  {
    name: "a task is not said to be one",
    fault: () => created((task) => ({ ...task, resultType: "complete" })),
    fails: ["tasks-result-type-discipline"],
    advises: ["tasks-mrtr-before-create"],
  },
  {
    name: "a created task is nested",
    fault: () => created(({ resultType, ...task }) => ({ resultType, task })),
    fails: ["tasks-result-type-discipline"],
  },
  {
    name: "a created task has a status that does not exist",
    fault: () => created((task) => ({ ...task, status: "queued" })),
    fails: ["tasks-result-type-discipline"],
  },
  {
    name: "a tool becomes a task for whoever calls it",
    fault: () => ({
      request: (request) => {
        if (toolOf(request) === "failing_job" && !declares(request)) declareFor(request);
      },
    }),
    fails: ["tasks-undeclared-creation-refused"],
  },
  {
    name: "a tool that needs tasks is refused with another error",
    fault: () => error(["tools/call"], (own) => (own.code = own.code === -32021 ? -32600 : own.code)),
    fails: ["tasks-undeclared-creation-refused"],
  },
  {
    name: "one declaration counts for all that follow",
    fault: () => {
      let declaredOnce = false;
      return {
        request: (request) => {
          if (toolOf(request) !== "slow_compute") return;
          if (declares(request)) declaredOnce = true;
          else if (declaredOnce && !("task" in paramsOf(request))) declareFor(request);
        },
      };
    },
    fails: ["tasks-per-request-opt-in"],
  },
  {
    name: "params.task still makes a task",
    fault: () => ({
      request: (request) => {
        if ("task" in paramsOf(request)) declareFor(request);
      },
    }),
    fails: ["tasks-legacy-param-ignored"],
  },
  {
    name: "a tool starts its task without asking first",
    fault: () => ({
      request: (request) => {
        if (toolOf(request) === "test_tool_with_task") paramsOf(request).inputResponses = { user_name: {} };
      },
    }),
    advises: ["tasks-mrtr-before-create"],
  },
  {
    name: "a task cannot be found at first",
    fault: () => {
      const fresh = new Set<unknown>();
      return {
        message: (message, request) => {
          const answer = isObject(message.result) ? message.result : {};
          if (toolOf(request) === "slow_compute") fresh.add(answer.taskId);
          const isFirst =
            request.body?.method === "tasks/get" && "taskId" in answer && fresh.delete(taskIdOf(request));
          return isFirst ? rpcError(message, -32602) : message;
        },
      };
    },
    fails: ["tasks-durable-create"],
  },
  {
    name: "tasks/get names its life in the old way",
    fault: () => looked(({ ttlMs, ...task }) => ({ ...task, ttl: ttlMs })),
    fails: ["tasks-ttl-shape"],
    advises: ["tasks-ttl-shape"],
  },
  {
    name: "a created task does not say how long it is kept",
    fault: () => created(({ ttlMs: _ttl, ...task }) => task),
    fails: ["tasks-ttl-shape"],
  },
  {
    name: "a life is a text",
    fault: () => created((task) => ({ ...task, ttlMs: "600000" })),
    fails: ["tasks-ttl-integer-shape"],
  },
  {
    name: "a polling interval is a fraction",
    fault: () => created((task) => ({ ...task, pollIntervalMs: 99.5 })),
    fails: ["tasks-ttl-integer-shape"],
  },
  {
    name: "a life is negative",
    fault: () => created((task) => ({ ...task, ttlMs: -1 })),
    advises: ["tasks-ttl-integer-shape"],
  },
  {
    name: "tasks/get calls its answer a task",
    fault: () => result("tasks/get", (task) => ({ ...task, resultType: "task" })),
    fails: ["tasks-get-result-type"],
  },
  {
    name: "a completed task has no result",
    fault: () => lookedWhen("completed", (task) => isToolError(task) || delete task.result),
    fails: ["tasks-inline-result"],
  },
  {
    name: "a working task has a result",
    fault: () => {
      const isFirstLook = firstLooks();
      return looked((task, request) =>
        isFirstLook(request) ? { ...atWork(task), result: { content: [] } } : undefined,
      );
    },
    advises: ["tasks-status-payload-shape"],
  },
  {
    name: "a failed task has no error",
    fault: () => lookedWhen("failed", (task) => delete task.error),
    fails: ["tasks-status-payload-shape"],
  },
  {
    name: "a failed task says nothing about why",
    fault: () => lookedWhen("failed", (task) => delete task.statusMessage),
    advises: ["tasks-status-payload-shape"],
  },
  {
    name: "a task waits but asks nothing",
    neverEnds: true,
    fault: () => lookedWhen("input_required", (task) => delete task.inputRequests),
    fails: ["tasks-status-payload-shape"],
    advises: ["tasks-input-required-update-completes"],
  },
  {
    name: "an unknown task is refused with another error",
    fault: () => error(["tasks/get"], (own) => (own.code = own.code === -32602 ? -32603 : own.code)),
    fails: ["tasks-invalid-task-id-rejected"],
  },
  {
    name: "cancelling an unknown task is refused with another error",
    fault: () => error(["tasks/cancel"], (own) => (own.code = own.code === -32602 ? -32603 : own.code)),
    advises: ["tasks-invalid-task-id-rejected"],
  },
  {
    name: "cancelling is answered with the task",
    fault: () =>
      result("tasks/cancel", (ack, request) => ({ ...ack, taskId: taskIdOf(request), status: "cancelled" })),
    fails: ["tasks-cancel-ack-shape"],
    advises: ["tasks-cancel-ack-shape"],
  },
  {
    name: "an acknowledgement does not say that it is complete",
    fault: () => result("tasks/cancel", ({ resultType: _type, ...ack }) => ack),
    fails: ["tasks-cancel-ack-shape"],
    advises: ["tasks-cancel-ack-shape"],
  },
  {
    name: "cancelling twice is refused",
    fault: () => {
      const cancelled = new Set<string>();
      return {
        message: (message, request) => {
          if (request.body?.method !== "tasks/cancel" || !isObject(message.result)) return message;
          if (cancelled.has(taskIdOf(request))) return rpcError(message, -32602);
          cancelled.add(taskIdOf(request));
          return message;
        },
      };
    },
    advises: ["tasks-cancel-ack-shape"],
  },
  {
    name: "an ended task is gone after one look",
    fault: () => {
      const isFirstLook = firstLooks();
      const shown = new Set<string>();
      return {
        message: (message, request) => {
          const task = isObject(message.result) ? message.result : {};
          if (request.body?.method !== "tasks/get" || task.status !== "completed") return message;
          if (isFirstLook(request)) return { ...message, result: atWork(task) };
          if (shown.has(taskIdOf(request))) return rpcError(message, -32602);
          shown.add(taskIdOf(request));
          return message;
        },
      };
    },
    advises: ["tasks-no-early-expiry"],
  },
  {
    name: "a tool's error fails its task",
    fault: () =>
      lookedWhen("completed", (task) => {
        if (!isToolError(task)) return;
        delete task.result;
        Object.assign(task, {
          status: "failed",
          statusMessage: "No",
          error: { code: -32603, message: "No" },
        });
      }),
    fails: ["tasks-failed-vs-completed"],
  },
  {
    name: "a protocol error completes its task",
    fault: () =>
      lookedWhen("failed", (task) => {
        delete task.error;
        Object.assign(task, { status: "completed", result: { content: [], isError: true } });
      }),
    fails: ["tasks-failed-vs-completed"],
  },
  {
    name: "tasks/get is answered to whoever asks",
    fault: () => ({
      request: (request) => {
        if (request.body?.method === "tasks/get" && !declares(request)) declareFor(request);
      },
    }),
    fails: ["tasks-undeclared-capability-rejected"],
  },
  {
    name: "listening to tasks is for whoever asks",
    fault: () => ({
      request: (request) => {
        if (request.body?.method === "subscriptions/listen") declareFor(request);
      },
    }),
    fails: ["tasks-undeclared-capability-rejected"],
  },
  {
    name: "a refusal does not say what is missing",
    fault: () =>
      error(["tasks/get", "tasks/update", "tasks/cancel"], (own) => own.code === -32021 && delete own.data),
    fails: ["tasks-undeclared-capability-names-requirements"],
  },
  {
    name: "a refusal names another capability",
    fault: () =>
      error(["tasks/get"], (own) => {
        if (own.code === -32021) own.data = { requiredCapabilities: { tasks: {} } };
      }),
    fails: ["tasks-undeclared-capability-names-requirements"],
  },
  {
    name: "Mcp-Name is not compared with the task",
    fault: () => ({
      request: (request) => {
        if (request.body?.method === "tasks/get") request.headers["mcp-name"] = taskIdOf(request);
      },
    }),
    fails: ["tasks-mcp-name-routing"],
  },
  {
    name: "an update is answered with the task",
    fault: () => result("tasks/update", (ack) => ({ ...ack, status: "working" })),
    fails: ["tasks-input-required-update-completes"],
  },
  {
    name: "answers are lost",
    neverEnds: true,
    fault: () => ({
      request: (request) => {
        if (request.body?.method === "tasks/update") paramsOf(request).inputResponses = {};
      },
    }),
    advises: ["tasks-input-required-update-completes", "tasks-partial-input"],
  },
  {
    name: "one answer counts for all questions",
    fault: () => ({
      request: (request) => {
        const { inputResponses } = paramsOf(request);
        if (request.body?.method !== "tasks/update" || !isObject(inputResponses)) return;
        if ("first" in inputResponses) inputResponses.second = inputResponses.first;
      },
    }),
    advises: ["tasks-partial-input"],
  },
  {
    name: "tasks/list still answers",
    fault: () => ({
      answer: ({ body }) =>
        body?.method === "tasks/list"
          ? {
              status: 200,
              body: { jsonrpc: "2.0", id: body.id, result: { resultType: "complete", tasks: [] } },
            }
          : undefined,
    }),
    fails: ["tasks-removed-methods"],
  },
  {
    name: "tasks carry a state",
    fault: () => looked((task) => ({ ...task, requestState: "s" })),
    advises: ["tasks-no-request-state"],
  },
  {
    name: "results name their task in _meta",
    fault: () =>
      lookedWhen("completed", (task) => {
        const related = { "io.modelcontextprotocol/related-task": { taskId: task.taskId } };
        task.result = { ...(task.result as JsonObject), _meta: related };
      }),
    advises: ["tasks-no-related-task-meta"],
  },
  {
    name: "progress comes on the stream of a task",
    fault: () => ({
      message: (message) =>
        message.method === "notifications/tasks"
          ? [
              { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 1, progress: 1 } },
              message,
            ]
          : message,
    }),
    fails: ["tasks-status-notifications"],
  },
  {
    name: "the end of a task is not told",
    fault: () => ({
      message: (message) =>
        message.method === "notifications/tasks" && (message.params as JsonObject).status === "cancelled"
          ? undefined
          : message,
    }),
    advises: ["tasks-status-notifications"],
  },
  {
    name: "notifications do not say which task",
    fault: () => ({
      message: (message) => {
        if (message.method === "notifications/tasks") delete (message.params as JsonObject).taskId;
        return message;
      },
    }),
    fails: ["tasks-status-notifications"],
  },
];
