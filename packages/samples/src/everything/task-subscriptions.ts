/**
 * `subscriptions/listen` for tasks, over HTTP. The SDK's own listen router knows only list and resource changes, so
 * a request that names task ids is answered here and everything else passes on.
 * @module
 */
import { CLIENT_CAPABILITIES_META_KEY, SUBSCRIPTION_ID_META_KEY } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { FetchHandler } from "../serve-http.ts";
import type { Task, TaskStore } from "./task-store.ts";
import { detailedTask, missingTasksCapability, TASKS_EXTENSION } from "./task-wire.ts";

const TaskListen = z.object({
  id: z.union([z.string(), z.number()]),
  method: z.literal("subscriptions/listen"),
  params: z.object({
    _meta: z.looseObject({
      [CLIENT_CAPABILITIES_META_KEY]: z.object({ extensions: z.record(z.string(), z.unknown()).optional() }),
    }),
    notifications: z.object({ taskIds: z.array(z.string()) }),
  }),
});

export function listenForTasks(store: TaskStore, next: FetchHandler): FetchHandler {
  return async (request) => {
    if (request.headers.get("mcp-method") !== "subscriptions/listen") return next(request);
    const listen = TaskListen.safeParse(
      await request
        .clone()
        .json()
        .catch(() => undefined),
    );
    if (!listen.success) return next(request);
    const { id, params } = listen.data;
    if (!params._meta[CLIENT_CAPABILITIES_META_KEY]?.extensions?.[TASKS_EXTENSION]) {
      const { code, message, data } = missingTasksCapability();
      return Response.json({ jsonrpc: "2.0", id, error: { code, message, data } }, { status: 400 });
    }
    const known = params.notifications.taskIds.filter((taskId) => store.find(taskId));
    return new Response(eventStream(id, known, store, request.signal), {
      headers: { "content-type": "text/event-stream", "cache-control": "no-cache" },
    });
  };
}

function eventStream(
  id: string | number,
  taskIds: string[],
  store: TaskStore,
  signal: AbortSignal,
): ReadableStream {
  const frame = (method: string, params: object) => {
    const message = {
      jsonrpc: "2.0",
      method,
      params: { ...params, _meta: { [SUBSCRIPTION_ID_META_KEY]: id } },
    };
    return new TextEncoder().encode(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  };
  let stop = () => {};
  return new ReadableStream({
    start(stream) {
      stream.enqueue(frame("notifications/subscriptions/acknowledged", { notifications: { taskIds } }));
      stop = store.watch((task: Task) => {
        if (taskIds.includes(task.taskId)) stream.enqueue(frame("notifications/tasks", detailedTask(task)));
      });
      signal.addEventListener("abort", stop, { once: true });
    },
    cancel: () => stop(),
  });
}
