/**
 * @module What one agent did with its servers, as plain JSON: messages, tool calls, usage, faults and spans. The loop
 * writes it, and grading, reports, cassettes and insights read nothing else; a stored one can be judged again.
 */

import type { ModelClass } from "@fettle/contract/evals";
import type { JsonObject } from "@fettle/mcp";
import type { CassetteFacts } from "../models/cassette-facts.ts";
import type { FinishReason, Message, Usage } from "../models/messages.ts";

/** Raised when a reader of an older trace would be misled; readers refuse versions they do not know. */
export const traceVersion = 1;

/**
 * Whose fault it is. `tool`: its result says isError. `model`: what it asked for makes no sense, or it declined.
 * `server`: it answered, but not as MCP asks. `infrastructure`: something between us and the server or the model
 * failed, which proves nothing about either. `ours`: this program, its settings or its limits.
 */
export type FaultOwner = "tool" | "model" | "server" | "infrastructure" | "ours";

export interface Fault {
  owner: FaultOwner;
  /** Stable; `agent/faults.ts` lists them. */
  code: string;
  message: string;
  /** Milliseconds since the trace began. */
  atMs: number;
  turn: number;
  server?: string;
  toolName?: string;
  toolCallId?: string;
  /** The HTTP status of a provider or server, or the code of a JSON-RPC error. */
  status?: number;
  rpcCode?: number;
}

/** How a call went. `result`: the server answered with a result, `isError` or not; only `result` and `failed` reached it. */
export type CallOutcome = "result" | "failed" | "blocked" | "invalid" | "cancelled";

export interface ToolCall {
  toolCallId: string;
  /** Position among all calls of the trace, in the order in which the model asked for them. */
  index: number;
  turn: number;
  /** Model step within the turn; absent for a call that a test made itself. */
  step?: number;
  /** Made by the test, not chosen by the model. */
  pinned?: true;
  /** The server's name in the suite; null when the model named a tool that no server has. */
  server: string | null;
  /** The server's own name for the tool; what grading compares. */
  toolName: string;
  /** What the model saw instead, where two servers clash or a provider does not allow the name. */
  offeredName?: string;
  /** The tool names a document that shows its result. */
  hasWidget?: true;
  arguments: JsonObject;
  /** What the model wrote where it is no JSON object; `arguments` is then empty. */
  rawArguments?: string;
  argsValid: true | false | "unknown";
  argIssues: string[];
  outcome: CallOutcome;
  /** The CallToolResult; clipped to a string when larger than what is kept. */
  result?: JsonObject | string;
  truncated?: true;
  /** The tool said so itself, or the call failed. Null: it never ran. */
  isError: boolean | null;
  /** The failure's code: JSON-RPC's as `rpc:-32602`, else the transport's. */
  errorCode?: string;
  errorMessage?: string;
  /** Of the result as it came, before anything was clipped; null when there was none. */
  resultBytes: number | null;
  startMs: number;
  /** Null: it never ran. */
  durationMs: number | null;
}

export const policyReasons = [
  "denyList",
  "allowList",
  "destructiveDefaultDeny",
  "readOnlyModeClassified",
  "readOnlyModeUnclassified",
  "modeDefault",
  "unknownAtLaunch",
  "approvalDenied",
] as const;
export type PolicyReason = (typeof policyReasons)[number];

/** A call that the policy kept from the server: no tool error, and not graded as a call. */
export interface PolicyBlock {
  turn: number;
  toolCallId: string;
  server: string;
  toolName: string;
  reason: PolicyReason;
  /** What the server says of the tool, which is a claim and no guarantee. */
  classification: "destructive" | "readOnly" | "contradictory" | "unclassified";
}

export const stopCauses = [
  "completed",
  "content_filter",
  "max_steps",
  "max_tool_calls",
  "max_tokens",
  "loop_guard",
  "time_limit",
  "spend_limit",
  "cancelled",
  "model_error",
  "server_lost",
  "cassette_stale",
  "cassette_miss",
  "internal_error",
] as const;
export type StopCause = (typeof stopCauses)[number];

/** Why a trace must not be graded, in the words of a run's denominators. */
export type Exclusion = "setupFailed" | "cancelled" | "timedOut" | "executionFailed";

/** Which stops say nothing about the task. What is null was the agent's own doing, and is graded. */
export const exclusionOf: Record<StopCause, Exclusion | null> = {
  completed: null,
  // Who declined, the model or a filter before it, is not told; about the server it says nothing.
  content_filter: "executionFailed",
  max_steps: null,
  max_tool_calls: null,
  max_tokens: null,
  loop_guard: null,
  time_limit: "timedOut",
  spend_limit: "executionFailed",
  cancelled: "cancelled",
  model_error: "executionFailed",
  server_lost: "executionFailed",
  cassette_stale: "setupFailed",
  cassette_miss: "setupFailed",
  internal_error: "executionFailed",
};

/** One user message and everything until the agent stopped, or one call that a test made itself. */
export interface Turn {
  index: number;
  kind: "prompt" | "toolCall";
  /** Of `messages`; the end is inclusive. */
  messageStart: number;
  messageEnd: number;
  steps: number;
  stop: StopCause;
  finishReason: FinishReason;
  usage: Usage;
  startMs: number;
  durationMs: number;
}

export interface Span {
  id: string;
  parentId?: string;
  name: string;
  category: "step" | "llm" | "tool" | "error";
  startMs: number;
  endMs: number;
  promptIndex?: number;
  stepIndex?: number;
  authoredStepId?: string;
  status: "ok" | "error";
  toolCallId?: string;
  toolName?: string;
  serverId?: string;
  modelId?: string;
  provider?: string;
  inputTokens?: number;
  outputTokens?: number;
  totalTokens?: number;
  messageStartIndex?: number;
  messageEndIndex?: number;
  finishReason?: FinishReason;
  responseId?: string;
  ttfcMs?: number;
  mcpErrorCode?: number;
}

export interface TraceServer {
  name: string;
  transport: string;
  protocolVersion: string;
  serverInfo: JsonObject | null;
  /** Digest of the tools it listed, whatever their order. */
  toolsHash: string;
}

export interface TraceTool {
  server: string;
  name: string;
  /** What the model is offered it as, where that differs. */
  offeredName?: string;
  /** Digest of its description and schemas. */
  hash: string;
  hasWidget?: true;
  /** Why this model could not be offered it. */
  notOffered?: string;
}

export interface Trace {
  version: typeof traceVersion;
  model: { id: string; provider: string; modelClass: ModelClass; deterministic: boolean };
  startedAt: number;
  durationMs: number;
  servers: TraceServer[];
  tools: TraceTool[];
  messages: Message[];
  turns: Turn[];
  toolCalls: ToolCall[];
  policyBlocks: PolicyBlock[];
  faults: Fault[];
  spans: Span[];
  usage: Usage;
  /** US dollars at the prices configured; null when a price or a count is unknown. */
  costUsd: number | null;
  /** Null: gradeable. */
  exclusion: Exclusion | null;
  cassette?: CassetteFacts;
  /** What a reader must know, once each: the rule model's label, schemas that a provider made us simplify. */
  warnings: string[];
}

/** The text of the last assistant message; undefined when it holds tool calls alone, whatever was said before. */
export function finalTextOf(messages: readonly Message[]): string | undefined {
  const last = messages.findLast((message) => message.role === "assistant");
  const texts = last?.parts.filter((part) => part.type === "text") ?? [];
  return texts.length === 0 ? undefined : texts.map(({ text }) => text).join("");
}

export interface ToolError {
  toolName: string;
  server: string | null;
  toolCallId: string;
  turn: number;
  /** `content-error`: the tool says so in its result. `protocol-error`: the call itself failed. */
  kind: "content-error" | "protocol-error";
  message: string;
}

/**
 * The tool errors that count: what the tool or the server did. A call that the policy blocked, that never was one, or
 * that an outage ended is none.
 */
export function toolErrorsOf(trace: Pick<Trace, "toolCalls" | "faults">): ToolError[] {
  const blamed = new Map(
    trace.faults.flatMap(({ toolCallId, owner }) => (toolCallId === undefined ? [] : [[toolCallId, owner]])),
  );
  return trace.toolCalls.flatMap((call) => {
    const { toolCallId, toolName, server, turn, outcome, errorMessage = "" } = call;
    const owner = blamed.get(toolCallId);
    if (call.isError !== true || owner === "infrastructure" || owner === "ours") return [];
    const kind = outcome === "result" ? "content-error" : "protocol-error";
    return [{ toolName, server, toolCallId, turn, kind, message: errorMessage }];
  });
}

/** What the model wanted to call and nobody could: there is no tool of that name, or its arguments are none. */
export function triedInVain({ toolCalls }: Pick<Trace, "toolCalls">): ToolCall[] {
  return toolCalls.filter(({ outcome, pinned }) => outcome === "invalid" && pinned !== true);
}

/** In words: the provider that let nobody through, where a turn ended in waiting for it. */
export function waitedFor({ faults }: Pick<Trace, "faults">): string | undefined {
  const last = faults.at(-1);
  return last?.code === "MODEL_RATE_LIMITED" ? last.message : undefined;
}
