/** @module Watching a task to its end: looks at it as often as the server wishes, answers its questions meanwhile, and says how it ended. */

import { setTimeout as delay } from "node:timers/promises";
import { isMcpError } from "../failure.ts";
import { isObject, type JsonObject } from "../messages/jsonrpc.ts";
import type { RequestOptions } from "../wire/dialog.ts";
import type { ClientHandlers } from "../wire/server-requests.ts";
import type { Connection } from "./connection.ts";
import { getTask, getTaskResult, type TaskWire, updateTask } from "./tasks.ts";

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
  wire: TaskWire;
  taskId: string;
  /** As last seen. */
  task: JsonObject | null;
  /** Of a completed task. */
  result?: JsonObject;
}

export interface WatchOptions {
  wire: TaskWire;
  durationMs?: number | undefined;
  pollIntervalMs?: number | undefined;
  maxInputRounds?: number | undefined;
  maxConsecutiveErrors?: number | undefined;
  /** Who answers the questions of the task; absent when nobody does. */
  handlers?: ClientHandlers | undefined;
  /** Told whenever the status or its message is another. */
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
  await using questions = questionsOf(connection, taskId, options);
  let task: JsonObject | null = null;
  let errors = 0;
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
      if (seen.status !== task?.status || seen.statusMessage !== task?.statusMessage)
        options.onStatus?.(seen);
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
      case "input_required":
        // Given up while it was looked at: its questions have failed by that alone.
        if (options.signal.aborted) return ended("aborted");
        if (!questions.ask(task ?? {})) return ended("input-required");
    }
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0) return ended("timeout");
    const stop = new AbortController();
    const wait = delay(Math.min(intervalOf(task, options), Math.max(leastIntervalMs, leftMs)), undefined, {
      signal: AbortSignal.any([stop.signal, options.signal]),
    }).catch(() => {});
    // What was answered may have moved it on at once.
    await Promise.race([wait, questions.answered()]);
    stop.abort();
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

interface Questions extends AsyncDisposable {
  /** Has what the task asks answered while it is watched; false when nobody does, or it asked too often. */
  ask(task: JsonObject): boolean;
  /** Settles when what is being answered is; never while nothing is. */
  answered(): Promise<void>;
}

/** The extension lists its questions in the task. The stateful wire asks them on its own once the result is waited for. */
function questionsOf(
  connection: Connection,
  taskId: string,
  { wire, handlers, maxInputRounds = defaults.maxInputRounds, request, signal }: WatchOptions,
): Questions {
  const over = new AbortController();
  const ends = AbortSignal.any([over.signal, signal]);
  /** A question is answered once, however often the task shows it. */
  const seen = new Set<string>();
  let rounds = 0;
  let asking: Promise<void> | undefined;
  let failure: { error: unknown } | undefined;

  // How the task stands is told by looking at it; waiting for the result only lets the server ask.
  const waitForResult = () =>
    getTaskResult(connection, taskId, { ...request, signal: ends, openEnded: true, handlers }).then(
      () => {},
      () => {},
    );
  const answerNew = async (asked: [string, unknown][]) => {
    // Made of entries: a key may be called __proto__.
    const responses: [string, JsonObject][] = [];
    for (const [key, question] of asked) {
      if (!isObject(question) || typeof question.method !== "string") continue;
      const params = isObject(question.params) ? question.params : {};
      responses.push([
        key,
        (await connection.answer(question.method, params, ends, handlers)) ?? { action: "decline" },
      ]);
    }
    await updateTask(connection, taskId, Object.fromEntries(responses), request);
  };
  const begin = (work: () => Promise<void>) => {
    rounds += 1;
    asking = work()
      .catch((error: unknown) => {
        failure = { error };
      })
      .finally(() => {
        asking = undefined;
      });
  };
  return {
    ask(task) {
      if (failure) throw failure.error;
      if (asking) return true;
      const asked = Object.entries(isObject(task.inputRequests) ? task.inputRequests : {}).filter(
        ([key]) => !seen.has(key),
      );
      if (wire === "extension" && asked.length === 0 && seen.size > 0) return true;
      if (!handlers || rounds >= maxInputRounds) return false;
      for (const [key] of asked) seen.add(key);
      begin(wire === "legacy" ? waitForResult : () => answerNew(asked));
      return true;
    },
    answered: () => asking ?? new Promise(() => {}),
    async [Symbol.asyncDispose]() {
      over.abort();
      await asking;
    },
  };
}
