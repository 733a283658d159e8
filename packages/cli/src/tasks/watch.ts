/** @module Watching a task to its end: looks at it as often as the server wishes, answers its questions, and says how it ended. */
import { setTimeout as delay } from "node:timers/promises";
import { type ExitCode, exitCodes } from "@fettle/contract";
import {
  type Connection,
  getTask,
  getTaskResult,
  isMcpError,
  isObject,
  type JsonObject,
  type RequestOptions,
  updateTask,
} from "@fettle/mcp";
import type { KnownWire } from "./wire.ts";

export type WatchOutcome =
  | "completed"
  | "failed"
  | "cancelled"
  | "expired"
  | "unreachable"
  | "input-required"
  | "timeout"
  | "aborted";

export interface Watched {
  outcome: WatchOutcome;
  wire: KnownWire;
  taskId: string;
  /** As last seen. */
  task: JsonObject | null;
  /** Of a completed task. */
  result?: JsonObject;
}

/** A script tells these apart. */
export const watchExit: Record<WatchOutcome, ExitCode> = {
  completed: exitCodes.ok,
  failed: exitCodes.failed,
  cancelled: exitCodes.failed,
  expired: exitCodes.failed,
  unreachable: exitCodes.failed,
  "input-required": exitCodes.inputRequired,
  timeout: exitCodes.deadline,
  aborted: exitCodes.interrupted,
};

export interface WatchOptions {
  wire: KnownWire;
  durationMs?: number | undefined;
  pollIntervalMs?: number | undefined;
  maxInputRounds?: number | undefined;
  maxConsecutiveErrors?: number | undefined;
  /** Answers one question of the task; absent when nobody can. */
  answer?: ((method: string, params: JsonObject) => Promise<JsonObject>) | undefined;
  onStatus?: (task: JsonObject) => void;
  /** Aborts the watching, not the task. */
  signal: AbortSignal;
  request: RequestOptions;
}

const defaults = { durationMs: 300_000, pollIntervalMs: 1_000, maxInputRounds: 10, maxConsecutiveErrors: 3 };
const leastIntervalMs = 50;

export async function watchTask(
  connection: Connection,
  taskId: string,
  options: WatchOptions,
): Promise<Watched> {
  const endsAt = performance.now() + (options.durationMs ?? defaults.durationMs);
  let task: JsonObject | null = null;
  let errors = 0;
  let rounds = 0;
  const ended = (outcome: WatchOutcome, result?: JsonObject): Watched => ({
    outcome,
    wire: options.wire,
    taskId,
    task,
    ...(result && { result }),
  });
  for (;;) {
    if (options.signal.aborted) return ended("aborted");
    try {
      const seen = taskOf(await getTask(connection, taskId, options.request));
      if (seen.status !== task?.status) options.onStatus?.(seen);
      task = seen;
      errors = 0;
    } catch (error) {
      const isUnknown = isMcpError(error, "RPC_ERROR") && error.details.rpcCode === -32602;
      if (isUnknown && task === null) throw error;
      if (isUnknown) return ended("expired");
      if (++errors >= (options.maxConsecutiveErrors ?? defaults.maxConsecutiveErrors))
        return ended("unreachable");
    }
    switch (errors > 0 ? "unknown" : task?.status) {
      case "completed":
        return ended("completed", await resultOf(connection, taskId, task ?? {}, options));
      case "failed":
      case "cancelled":
        return ended(task?.status === "failed" ? "failed" : "cancelled");
      case "input_required": {
        if (!options.answer || rounds++ >= (options.maxInputRounds ?? defaults.maxInputRounds)) {
          return ended("input-required");
        }
        await answerQuestions(connection, taskId, task ?? {}, options);
        continue;
      }
    }
    if (performance.now() >= endsAt) return ended("timeout");
    const wait = Math.min(intervalOf(task, options), Math.max(leastIntervalMs, endsAt - performance.now()));
    await delay(wait, undefined, { signal: options.signal }).catch(() => {});
  }
}

/** The stateful wire nests what the extension puts flat. */
export function taskOf(answer: JsonObject): JsonObject {
  return isObject(answer.task) ? answer.task : answer;
}

function intervalOf(task: JsonObject | null, { pollIntervalMs }: WatchOptions): number {
  const wished = task?.pollIntervalMs ?? task?.pollInterval;
  const interval = pollIntervalMs ?? (typeof wished === "number" ? wished : defaults.pollIntervalMs);
  return Math.max(leastIntervalMs, interval);
}

async function resultOf(
  connection: Connection,
  taskId: string,
  task: JsonObject,
  { request }: WatchOptions,
): Promise<JsonObject | undefined> {
  if (isObject(task.result)) return task.result;
  return getTaskResult(connection, taskId, request);
}

/** The extension lists its questions in the task. The stateful wire asks them on its own once the result is waited for. */
async function answerQuestions(
  connection: Connection,
  taskId: string,
  task: JsonObject,
  { wire, answer, request }: WatchOptions,
): Promise<void> {
  if (wire === "legacy") {
    await getTaskResult(connection, taskId, request);
    return;
  }
  // Made of entries: a key may be called __proto__.
  const responses: [string, JsonObject][] = [];
  for (const [key, asked] of Object.entries(isObject(task.inputRequests) ? task.inputRequests : {})) {
    if (!isObject(asked) || typeof asked.method !== "string" || !answer) continue;
    responses.push([key, await answer(asked.method, isObject(asked.params) ? asked.params : {})]);
  }
  await updateTask(connection, taskId, Object.fromEntries(responses), request);
}
