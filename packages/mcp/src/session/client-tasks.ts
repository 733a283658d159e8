/** @module What a server of 2025-11-25 asks of us as a task: begun at once, and then looked at, waited for and cancelled by the server. */
import { isObject, type JsonObject } from "../messages/jsonrpc.ts";
import { rpcCodes } from "../messages/stateless-meta.ts";
import { RpcRefusal } from "../wire/server-requests.ts";

/** So long a task is kept when the server wishes for longer, or does not say. */
const longestMs = 3_600_000;
/** Tasks kept at once, those that ended too. */
const most = 32;
/** How soon a server should look again. */
const pollInterval = 500;
const relatedTask = "io.modelcontextprotocol/related-task";

/** What a client that takes on tasks says of them, of the requests it answers at all. */
export function clientTasksOf({ sampling, elicitation }: JsonObject): JsonObject {
  return {
    list: {},
    cancel: {},
    requests: {
      ...(isObject(sampling) && { sampling: { createMessage: {} } }),
      ...(isObject(elicitation) && { elicitation: { create: {} } }),
    },
  };
}

export interface ClientTasks {
  /** Answers with a task, on which `work` goes on. */
  start(wished: JsonObject, work: (signal: AbortSignal) => Promise<JsonObject>): JsonObject;
  /** Answers the server's `tasks/…` requests; undefined for any other. */
  serve(method: string, params: JsonObject): Promise<JsonObject> | undefined;
  /** Nobody will look any more. */
  end(): void;
}

interface Task {
  facts: { taskId: string; status: "working" | "completed" | "failed" | "cancelled" } & JsonObject;
  stop: AbortController;
  result: Promise<JsonObject>;
  expires: NodeJS.Timeout;
}

export function createClientTasks(): ClientTasks {
  const tasks = new Map<string, Task>();

  function drop(task: Task): void {
    clearTimeout(task.expires);
    task.stop.abort(new RpcRefusal(-32000, "The task is over"));
    tasks.delete(task.facts.taskId);
  }

  function makeRoom(): void {
    if (tasks.size < most) return;
    const ended = [...tasks.values()].find(({ facts }) => facts.status !== "working");
    if (!ended) throw new RpcRefusal(-32000, "Too many tasks at once");
    drop(ended);
  }

  function start(wished: JsonObject, work: (signal: AbortSignal) => Promise<JsonObject>): JsonObject {
    makeRoom();
    const ttl = Math.max(0, Math.min(longestMs, Number(wished.ttl ?? longestMs) || 0));
    const now = new Date().toISOString();
    const stop = new AbortController();
    const task: Task = {
      facts: {
        taskId: crypto.randomUUID(),
        status: "working",
        createdAt: now,
        lastUpdatedAt: now,
        ttl,
        pollInterval,
      },
      stop,
      result: work(stop.signal),
      expires: setTimeout(() => drop(task), ttl).unref(),
    };
    tasks.set(task.facts.taskId, task);
    task.result.then(
      () => moveOn(task, "completed"),
      (error: unknown) => moveOn(task, "failed", error instanceof Error ? error.message : String(error)),
    );
    return { task: { ...task.facts } };
  }

  function find({ taskId }: JsonObject): Task {
    const task = typeof taskId === "string" ? tasks.get(taskId) : undefined;
    if (task) return task;
    throw new RpcRefusal(rpcCodes.invalidParams, "There is no such task");
  }

  const methods: Record<string, (params: JsonObject) => JsonObject | Promise<JsonObject>> = {
    "tasks/get": (params) => ({ ...find(params).facts }),
    "tasks/list": () => ({ tasks: [...tasks.values()].map(({ facts }) => ({ ...facts })) }),
    "tasks/result": async (params) => {
      const { facts, result } = find(params);
      const given = await result;
      const meta = isObject(given._meta) ? given._meta : {};
      return { ...given, _meta: { ...meta, [relatedTask]: { taskId: facts.taskId } } };
    },
    "tasks/cancel": (params) => {
      const task = find(params);
      if (task.facts.status !== "working")
        throw new RpcRefusal(rpcCodes.invalidParams, `The task is already ${task.facts.status}`);
      moveOn(task, "cancelled");
      task.stop.abort(new RpcRefusal(-32000, "The task was cancelled"));
      return { ...task.facts };
    },
  };

  return {
    start,
    serve(method, params) {
      const answer = Object.hasOwn(methods, method) ? methods[method] : undefined;
      return answer && (async () => answer(params))();
    },
    end: () => {
      for (const task of tasks.values()) drop(task);
    },
  };
}

/** The end of a task is told once and never again otherwise. */
function moveOn({ facts }: Task, status: Task["facts"]["status"], statusMessage?: string): void {
  if (facts.status !== "working") return;
  Object.assign(facts, {
    status,
    lastUpdatedAt: new Date().toISOString(),
    ...(statusMessage !== undefined && { statusMessage }),
  });
}
