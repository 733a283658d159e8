/** @module What a task looks like on each wire, and what is wrong with one. Pure. */
import { isObject, type JsonObject } from "@fettle/mcp";
import { type Exchange, errorOf, resultOf } from "../protocol/conversation/exchange.ts";
import type { Finding } from "../verdict/rule.ts";

/** What breaks the check's own rule, and what is beside it. */
export interface TaskFaults {
  faults: string[];
  warnings: Finding[];
}

export type LiveWire = "legacy" | "extension";

export const taskStatuses = ["working", "input_required", "completed", "failed", "cancelled"];
const terminal = ["completed", "failed", "cancelled"];

export const relatedTaskKey = "io.modelcontextprotocol/related-task";

export function isTerminal({ status }: JsonObject): boolean {
  return terminal.includes(String(status));
}

/** What a call came to. `odd`: it looks like a task but is not said to be one. */
export type Creation =
  | { kind: "task"; task: JsonObject }
  | { kind: "result" | "input-required" | "error" | "odd" };

export function creationOf(exchange: Exchange, wire: LiveWire): Creation {
  const result = resultOf(exchange);
  if (!result) return { kind: "error" };
  if (wire === "legacy") {
    if (isObject(result.task)) return { kind: "task", task: result.task };
    return { kind: typeof result.taskId === "string" ? "odd" : "result" };
  }
  if (result.resultType === "task")
    return { kind: "task", task: isObject(result.task) ? result.task : result };
  if (result.resultType === "input_required") return { kind: "input-required" };
  return { kind: looksLikeTask(result) ? "odd" : "result" };
}

/** Either wire's shape: a client that did not ask for a task must get neither. */
export function looksLikeTask(result: JsonObject): boolean {
  const isFlat = typeof result.taskId === "string" && typeof result.status === "string";
  return isFlat || result.resultType === "task" || isObject(result.task);
}

/** What makes it a task at all. */
export function identityFaults(where: string, task: JsonObject): string[] {
  return [
    ...(typeof task.taskId === "string" && task.taskId !== "" ? [] : [`${where}: taskId is not a string`]),
    ...(taskStatuses.includes(String(task.status))
      ? []
      : [`${where}: the status ${JSON.stringify(task.status)} does not exist`]),
  ];
}

const namesOfLife: Record<LiveWire, { own: readonly [string, string]; others: readonly [string, string] }> = {
  legacy: { own: ["ttl", "pollInterval"], others: ["ttlMs", "pollIntervalMs"] },
  extension: { own: ["ttlMs", "pollIntervalMs"], others: ["ttl", "pollInterval"] },
};

/** The wire's own names for how long a task is kept and how often it may be asked about. */
export function lifeNames(where: string, task: JsonObject, wire: LiveWire): TaskFaults {
  const { own, others } = namesOfLife[wire];
  return {
    faults: own[0] in task ? [] : [`${where}: ${own[0]} is missing`],
    // Nothing forbids more members than there are.
    warnings: others
      .filter((name) => name in task)
      .map((name) => ({ word: "inferred", message: `${where}: ${name} is the other revision's name` })),
  };
}

export function lifeNumberFaults(where: string, task: JsonObject, wire: LiveWire): TaskFaults {
  const { faults, warnings }: TaskFaults = { faults: [], warnings: [] };
  for (const [index, name] of namesOfLife[wire].own.entries()) {
    const value = task[name];
    if (value === undefined || (value === null && index === 0)) continue;
    if (!Number.isInteger(value))
      faults.push(`${where}: ${name} is ${JSON.stringify(value)}, not a whole number`);
    else if (Number(value) < 0) {
      warnings.push({ word: "inferred", message: `${where}: ${name} is negative` });
    }
  }
  return { faults, warnings };
}

export function ttlOf(task: JsonObject, wire: LiveWire): number | null {
  const value = task[namesOfLife[wire].own[0]];
  return typeof value === "number" ? value : null;
}

export function pollIntervalOf(task: JsonObject, wire: LiveWire): number | undefined {
  const value = task[namesOfLife[wire].own[1]];
  return typeof value === "number" ? value : undefined;
}

/** What the status brings with it, and nothing else. The result of a completed task has a check of its own. */
export function payloadFaults(task: JsonObject, wire: LiveWire): TaskFaults {
  const status = String(task.status);
  const faults: string[] = identityFaults(status, task);
  const warnings: Finding[] = [];
  if (status === "failed" && typeof task.statusMessage !== "string") {
    warnings.push({ word: "SHOULD", message: "a failed task says nothing about why (statusMessage)" });
  }
  for (const name of ["createdAt", "lastUpdatedAt"]) {
    if (!isDate(task[name])) faults.push(`${name} is not a date`);
  }
  if (wire === "legacy") return { faults, warnings };
  const allowed: Record<string, string> = {
    completed: "result",
    failed: "error",
    input_required: "inputRequests",
  };
  for (const member of ["result", "error", "inputRequests"]) {
    if (member in task && allowed[status] !== member) {
      warnings.push({ word: "inferred", message: `a ${status} task has ${member}` });
    }
  }
  if (status === "failed" && !isRpcError(task.error)) {
    faults.push("a failed task has no error with a numeric code and a message");
  }
  if (status === "input_required" && !isAsking(task.inputRequests)) {
    faults.push("an input_required task asks nothing (inputRequests)");
  }
  return { faults, warnings };
}

function isDate(value: unknown): boolean {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}

function isRpcError(error: unknown): boolean {
  return isObject(error) && Number.isInteger(error.code) && typeof error.message === "string";
}

function isAsking(requests: unknown): boolean {
  return (
    isObject(requests) &&
    Object.keys(requests).length > 0 &&
    Object.values(requests).every((request) => isObject(request) && typeof request.method === "string")
  );
}

export function isToolResult(result: unknown): result is JsonObject {
  return isObject(result) && Array.isArray(result.content);
}

/** An acknowledgement says that it is complete, and nothing else. */
export function ackFaults(where: string, exchange: Exchange): string[] {
  const result = resultOf(exchange);
  const error = errorOf(exchange);
  if (!result) return [`${where} was answered with ${error ? `error ${error.code}` : "no result"}`];
  const { resultType, _meta, ...rest } = result;
  return [
    ...(resultType === "complete" ? [] : [`${where} was acknowledged without resultType "complete"`]),
    ...(Object.keys(rest).length === 0
      ? []
      : [`${where} was acknowledged with ${Object.keys(rest).join(", ")}`]),
  ];
}
