/** @module Making a task and following it: the requests of both wires, as a good client sends them or, on purpose, not. */
import { setTimeout as delay } from "node:timers/promises";
import { isObject, type JsonObject, tasksExtension } from "@fettle/mcp";
import { type Exchange, resultOf } from "../protocol/conversation/exchange.ts";
import { type AskOptions, fullCapabilities, type Talk } from "../protocol/conversation/talk.ts";
import { NothingToObserve } from "../verdict/check-result.ts";
import type { ProbeCall } from "./probe-tool.ts";
import { type Creation, creationOf, isTerminal, type LiveWire, pollIntervalOf } from "./task-shape.ts";

export interface TaskDriver {
  talk: Talk;
  wire: LiveWire;
  /** How long a task is followed. */
  pollTimeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Tasks that may still be under way; cancelled when the run is over. */
  open: Set<string>;
}

/** `task`: as this wire asks for one. `plain`: like a client that knows nothing of tasks. `other-wire`: in the other revision's way. */
export type CallManner = "task" | "plain" | "other-wire";

const keepMs = 60_000;

const understanding: AskOptions = {
  capabilities: { ...fullCapabilities, extensions: { [tasksExtension]: {} } },
};

/** Options of a request that understands tasks. */
export function declared(wire: LiveWire): AskOptions {
  return wire === "extension" ? understanding : {};
}

export function callTool(
  { talk, wire }: TaskDriver,
  { name, args }: ProbeCall,
  manner: CallManner,
  more: JsonObject = {},
): Promise<Exchange> {
  const asksInCall = wire === "legacy" ? manner === "task" : manner === "other-wire";
  const params = { name, arguments: args, ...(asksInCall && { task: { ttl: keepMs } }), ...more };
  const declares = wire === "extension" && manner === "task";
  return talk.ask("tools/call", params, declares ? understanding : {});
}

export function askTask(
  { talk, wire }: TaskDriver,
  method: string,
  taskId: string,
  more: JsonObject = {},
  options: AskOptions = {},
): Promise<Exchange> {
  return talk.ask(method, { taskId, ...more }, { ...declared(wire), ...options });
}

export interface CreatedTask {
  exchange: Exchange;
  task: JsonObject;
  taskId: string;
}

/** Makes a task, or rejects with why there is none: what follows from it cannot be observed then. */
export async function createTask(
  driver: TaskDriver,
  call: ProbeCall,
  more?: JsonObject,
): Promise<CreatedTask> {
  const exchange = await callTool(driver, call, "task", more);
  const created = requireTask(call, exchange, creationOf(exchange, driver.wire));
  driver.open.add(created.taskId);
  return created;
}

export function requireTask(call: ProbeCall, exchange: Exchange, creation: Creation): CreatedTask {
  const taskId = creation.kind === "task" ? creation.task.taskId : undefined;
  if (creation.kind === "task" && typeof taskId === "string")
    return { exchange, task: creation.task, taskId };
  const why = `Calling ${call.name} made no task to look at.`;
  throw call.isGuess ? new NothingToObserve(why) : new Error(why);
}

export interface Followed {
  /** Every look at the task, in order. */
  looks: Exchange[];
  /** The task as last seen. */
  task: JsonObject;
  stopped: "ended" | "asks" | "timed-out" | "lost";
}

const shortestWaitMs = 20;
const longestWaitMs = 1_000;

/** Looks until the task ends or asks for something. */
export async function followTask(driver: TaskDriver, taskId: string): Promise<Followed> {
  const { wire, pollTimeoutMs, signal } = driver;
  const looks: Exchange[] = [];
  let task: JsonObject = {};
  for (const until = performance.now() + pollTimeoutMs; ; ) {
    const exchange = await askTask(driver, "tasks/get", taskId);
    looks.push(exchange);
    const seen = resultOf(exchange);
    if (!seen) return { looks, task, stopped: "lost" };
    task = seen;
    if (isTerminal(task)) {
      driver.open.delete(taskId);
      return { looks, task, stopped: "ended" };
    }
    if (task.status === "input_required") return { looks, task, stopped: "asks" };
    if (performance.now() > until) return { looks, task, stopped: "timed-out" };
    const wish = pollIntervalOf(task, wire) ?? longestWaitMs / 2;
    await delay(Math.min(longestWaitMs, Math.max(shortestWaitMs, wish)), undefined, { signal });
  }
}

/** Follows to the end, or rejects: a task that never ends shows nothing about ends. */
export async function followToEnd(driver: TaskDriver, taskId: string): Promise<Followed> {
  const followed = await followTask(driver, taskId);
  if (followed.stopped === "timed-out") {
    throw new Error(`The task did not end within ${driver.pollTimeoutMs} ms (--poll-timeout).`);
  }
  return followed;
}

/** Looks until the task asks; rejects when it ends without asking. */
export async function followToQuestion(driver: TaskDriver, taskId: string): Promise<Followed> {
  const followed = await followToEnd(driver, taskId);
  if (followed.stopped !== "asks") throw new Error("The task asked for nothing.");
  return followed;
}

export function questionsOf(task: JsonObject): Record<string, JsonObject> {
  const requests = isObject(task.inputRequests) ? task.inputRequests : {};
  return Object.fromEntries(
    Object.entries(requests).flatMap(([key, request]): [string, JsonObject][] =>
      isObject(request) ? [[key, request]] : [],
    ),
  );
}

/** An answer to a fixture's question: everything is accepted, with something of the right type. */
export function acceptingAnswer({ params }: JsonObject): JsonObject {
  const schema = isObject(params) && isObject(params.requestedSchema) ? params.requestedSchema : {};
  const properties = isObject(schema.properties) ? schema.properties : {};
  const content = Object.entries(properties).map(([name, property]) => [
    name,
    isObject(property) && property.type === "boolean"
      ? true
      : isObject(property) && (property.type === "number" || property.type === "integer")
        ? 1
        : "test",
  ]);
  return { action: "accept", content: Object.fromEntries(content) };
}
