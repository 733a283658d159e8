/**
 * Long work that outlives its request: started, asked about, answered, cancelled. Knows nothing about the wire.
 * @module
 */
import { randomUUID } from "node:crypto";
import type { CallToolResult, InputRequest } from "@modelcontextprotocol/server";

type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";
export type Answers = Record<string, unknown>;

export interface Task {
  readonly taskId: string;
  readonly createdAt: string;
  lastUpdatedAt: string;
  status: TaskStatus;
  statusMessage?: string;
  inputRequests?: Record<string, InputRequest>;
  result?: CallToolResult;
  error?: { code: number; message: string };
}

export interface TaskRun {
  signal: AbortSignal;
  /** Parks the task until every question was answered. */
  ask(questions: Record<string, InputRequest>): Promise<Answers>;
}

export type TaskStore = ReturnType<typeof createTaskStore>;

export const TASK_TTL_MS = 600_000;
export const POLL_INTERVAL_MS = 100;

export interface TaskOptions {
  /** A task that is done says so only after somebody has asked about it: who follows one sees it work, however late. */
  tasksAwaitLook?: boolean;
}

export function createTaskStore({ tasksAwaitLook = false }: TaskOptions = {}) {
  const tasks = new Map<
    string,
    { task: Task; cancel: AbortController; answered: (answers: Answers) => void; looked: () => void }
  >();
  const watchers = new Set<(task: Task) => void>();

  function start(work: (run: TaskRun) => Promise<CallToolResult>): Task {
    const now = new Date().toISOString();
    const task: Task = { taskId: randomUUID(), createdAt: now, lastUpdatedAt: now, status: "working" };
    const { promise: isLookedAt, resolve: looked } = Promise.withResolvers<void>();
    if (!tasksAwaitLook) looked();
    const entry = { task, cancel: new AbortController(), answered: (_: Answers) => {}, looked };
    tasks.set(task.taskId, entry);
    setTimeout(() => tasks.delete(task.taskId), TASK_TTL_MS).unref();

    const ask = (questions: Record<string, InputRequest>) => {
      const { promise, resolve } = Promise.withResolvers<Answers>();
      const collected: Answers = {};
      entry.answered = (answers) => {
        const open = { ...task.inputRequests };
        for (const key of Object.keys(open)) {
          if (!(key in answers)) continue;
          collected[key] = answers[key];
          delete open[key];
        }
        if (Object.keys(open).length > 0) return move(task, { inputRequests: open });
        delete task.inputRequests;
        move(task, { status: "working" });
        resolve(collected);
      };
      move(task, { status: "input_required", inputRequests: questions });
      return promise;
    };

    work({ signal: entry.cancel.signal, ask }).then(
      async (result) => {
        await isLookedAt;
        move(task, { status: "completed", result });
      },
      (error: { code?: number; message: string }) =>
        move(task, {
          status: "failed",
          statusMessage: error.message,
          error: { code: error.code ?? -32603, message: error.message },
        }),
    );
    return task;
  }

  function move(task: Task, change: Partial<Task>): void {
    // The first terminal state stays: work that ends after a cancellation changes nothing.
    if (isTerminal(task)) return;
    Object.assign(task, change, { lastUpdatedAt: new Date().toISOString() });
    for (const watcher of watchers) watcher(task);
  }

  function cancel(taskId: string): void {
    const entry = tasks.get(taskId);
    if (!entry || isTerminal(entry.task)) return;
    delete entry.task.inputRequests;
    move(entry.task, { status: "cancelled" });
    entry.cancel.abort();
  }

  function watch(watcher: (task: Task) => void): () => void {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  }

  /** Resolves when the task has ended, at once if it already has. */
  function settled(task: Task): Promise<void> {
    if (isTerminal(task)) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = watch((changed) => {
      if (changed !== task || !isTerminal(task)) return;
      stop();
      resolve();
    });
    return promise;
  }

  return {
    start,
    cancel,
    watch,
    settled,
    find: (taskId: string) => {
      const entry = tasks.get(taskId);
      // Whoever asks reads it before it moves.
      entry?.looked();
      return entry?.task;
    },
    list: () => [...tasks.values()].map((entry) => entry.task),
    answer: (taskId: string, answers: Answers) => tasks.get(taskId)?.answered(answers),
    cancelAll: () => {
      for (const taskId of tasks.keys()) cancel(taskId);
    },
  };
}

export function isTerminal(task: Task): boolean {
  return task.status === "completed" || task.status === "failed" || task.status === "cancelled";
}
