/** @module The calls of this page session: how each one ended, newest first. */
import type { ApiError } from "@fettle/contract/core";
import { failureOf, wantsServerSignIn } from "../../api/failure.ts";
import { type CallTask, Cancelled, type Progress } from "../../api/server-asks.ts";
import type { JsonObject } from "../../lib/json-exact.ts";
import { createStore, type Store } from "../../lib/store.ts";

/** The words of the automation contract. `protocol-error` also covers what never reached the tool; `cause` tells them apart. */
export type CallOutcome =
  | { state: "running"; askId: string; progress?: Progress; task?: CallTask; isCancelling?: true }
  | {
      state: "ok" | "tool-error";
      result: JsonObject;
      /** Not known of a call that was made elsewhere and did not say. */
      durationMs: number | undefined;
    }
  | {
      state: "protocol-error";
      cause: "protocol" | "answer" | "transport" | "sign-in" | "service";
      failure: ApiError;
    }
  | { state: "cancelled"; by: string | null };

export interface ToolCall {
  id: number;
  toolName: string;
  parameters: JsonObject;
  at: number;
  outcome: CallOutcome;
  /** It was made elsewhere, and only its result is shown here. */
  source?: "terminal";
}

const kept = 100;
const stores = new Map<string, Store<readonly ToolCall[]>>();
let lastId = 0;

export function callsOf(serverId: string): Store<readonly ToolCall[]> {
  const known = stores.get(serverId);
  if (known) return known;
  const store = createStore<readonly ToolCall[]>([]);
  stores.set(serverId, store);
  return store;
}

export function beginCall(serverId: string, toolName: string, parameters: JsonObject, askId: string): number {
  lastId += 1;
  const outcome = { state: "running", askId } as const;
  const call: ToolCall = { id: lastId, toolName, parameters, at: Date.now(), outcome };
  const store = callsOf(serverId);
  store.set([call, ...store.get()].slice(0, kept));
  return lastId;
}

/** A call that the terminal made: its result is shown, and nothing is called. */
export function showCall(
  serverId: string,
  toolName: string,
  parameters: JsonObject,
  { result, durationMs }: { result: JsonObject; durationMs: number | undefined },
): number {
  lastId += 1;
  const outcome = answered(result, durationMs);
  const call: ToolCall = { id: lastId, toolName, parameters, at: Date.now(), outcome, source: "terminal" };
  const store = callsOf(serverId);
  store.set([call, ...store.get()].slice(0, kept));
  return lastId;
}

export function endCall(serverId: string, id: number, outcome: CallOutcome): void {
  const store = callsOf(serverId);
  store.set(store.get().map((call) => (call.id === id ? { ...call, outcome } : call)));
}

/** More is known of a call that runs. */
export function noteRunning(
  serverId: string,
  id: number,
  more: { progress: Progress } | { task: CallTask } | { isCancelling: true },
): void {
  const outcome = callsOf(serverId)
    .get()
    .find((call) => call.id === id)?.outcome;
  if (outcome?.state === "running") endCall(serverId, id, { ...outcome, ...more });
}

export function answered(result: JsonObject, durationMs: number | undefined): CallOutcome {
  return { state: result.isError === true ? "tool-error" : "ok", result, durationMs };
}

export function failed(error: unknown): CallOutcome {
  if (error instanceof Cancelled) return { state: "cancelled", by: error.by };
  const failure = failureOf(error);
  return { state: "protocol-error", cause: causeOf(failure), failure };
}

function causeOf(failure: ApiError): Extract<CallOutcome, { state: "protocol-error" }>["cause"] {
  const { code, details } = failure;
  if (wantsServerSignIn(failure)) return "sign-in";
  if (details?.rpc !== undefined) return "protocol";
  if (code === "INVALID_ANSWER") return "answer";
  return code === "SERVER_UNREACHABLE" || code === "TIMEOUT" ? "transport" : "service";
}
