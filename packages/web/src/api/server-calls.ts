/** @module Talking to a saved MCP server through the service: each call leaves its messages in the traffic and its outcome as the server's state. */
import { createStore } from "../lib/store.ts";
import { failureOf, wantsServerSignIn } from "./failure.ts";
import { type RpcLog, recordTraffic } from "./traffic.ts";

export interface ServerAddress {
  projectId: string;
  serverId: string;
}

/** The words of the automation contract. */
export type ServerState =
  | { state: "disconnected" | "connecting" | "connected"; at: number }
  | { state: "auth-required" | "error"; at: number; code: string; reason: string };

const states = createStore<ReadonlyMap<string, ServerState>>(new Map());
export const serverStates = { get: states.get, subscribe: states.subscribe };

export function noteServerState(serverId: string, state: ServerState): void {
  states.set(new Map(states.get()).set(serverId, state));
}

/** Asks for the messages of a live call. */
export const withMessages = { rpc: "true" } as const;

/** Runs one live call. What the answer carries for the traffic is taken out of it. */
export async function liveCall<Answer extends object>(
  { serverId }: ServerAddress,
  call: () => Promise<Answer>,
): Promise<Answer> {
  try {
    const { _rpcLogs, ...answer } = (await call()) as Answer & { _rpcLogs?: RpcLog[] };
    recordTraffic(serverId, _rpcLogs ?? []);
    noteServerState(serverId, { state: "connected", at: Date.now() });
    // Left out of the value only: `_rpcLogs` is optional wherever it occurs.
    return answer as Answer;
  } catch (error) {
    recordTraffic(serverId, messagesOf(error));
    noteFailure(serverId, error);
    throw error;
  }
}

/** What a failed call left of its conversation. */
function messagesOf(error: unknown): readonly RpcLog[] {
  const logs = failureOf(error).details?._rpcLogs;
  // The contract's own shape, wherever it occurs.
  return Array.isArray(logs) ? (logs as RpcLog[]) : [];
}

export function noteFailure(serverId: string, error: unknown): void {
  const { code, message, status, details } = failureOf(error);
  const at = Date.now();
  // Without a status nothing answered us at all: that says nothing about the server behind.
  if (status === 0) return;
  if (wantsServerSignIn({ code, details }))
    noteServerState(serverId, { state: "auth-required", at, code, reason: message });
  // It said no, but it is there.
  if (code === "MCP_ERROR") noteServerState(serverId, { state: "connected", at });
  if (code === "SERVER_UNREACHABLE" || code === "INVALID_ANSWER" || code === "TIMEOUT")
    noteServerState(serverId, { state: "error", at, code, reason: message });
}

const mostPages = 50;

export interface LivePage<Item> {
  items: Item[];
  nextCursor?: string | undefined;
  malformed?: MalformedItem[] | undefined;
}

export interface MalformedItem {
  index: number;
  name?: string | undefined;
  reason: string;
  isRepetition?: true | undefined;
}

export interface WholeList<Item> {
  items: Item[];
  /** What the server sent that breaks the protocol, and why. */
  malformed: MalformedItem[];
  /** Set when the list went on, but was not followed to its end. */
  cut: boolean;
}

/** Follows a list to its end; a server that hands out cursors in a circle, or without end, is left after a while. */
export async function wholeList<Item>(
  page: (body: { cursor?: string }) => Promise<LivePage<Item>>,
): Promise<WholeList<Item>> {
  const list: WholeList<Item> = { items: [], malformed: [], cut: false };
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const answer = await page(cursor === undefined ? {} : { cursor });
    list.items.push(...answer.items);
    list.malformed.push(...(answer.malformed ?? []));
    cursor = answer.nextCursor;
    if (cursor === undefined) return list;
    if (seen.has(cursor)) break;
    seen.add(cursor);
  }
  return { ...list, cut: true };
}
