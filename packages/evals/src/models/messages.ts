/** @module What is said to a model and by it, as plain JSON: messages, their parts, why it stopped and what it used. */
import type { JsonObject } from "@fettle/mcp";

export const finishReasons = [
  "stop",
  "length",
  "content-filter",
  "tool-calls",
  "error",
  "other",
  "unknown",
] as const;
export type FinishReason = (typeof finishReasons)[number];

/** Tokens; absent is unknown, never 0. */
export interface Usage {
  input?: number;
  output?: number;
  /** Of the input, what came from the provider's cache. */
  cached?: number;
  /** Of the input, what went into it. */
  cacheWritten?: number;
  reasoning?: number;
  total?: number;
  /** Counted by us and not by a provider. */
  estimated?: true;
}

export interface TextPart {
  type: "text";
  text: string;
}

/** What the model says it thought; shown, never graded. */
export interface ReasoningPart {
  type: "reasoning";
  text: string;
  /** What the provider wants to see again with the next request; opaque. */
  providerMetadata?: JsonObject;
}

export interface ToolCallPart {
  type: "tool-call";
  toolCallId: string;
  /** As the model wrote it: the name it was offered, or one that does not exist. */
  name: string;
  /** Null where what it wrote is no JSON object; `rawArguments` then has the words. */
  arguments: JsonObject | null;
  rawArguments?: string;
  providerMetadata?: JsonObject;
}

export type AssistantPart = TextPart | ReasoningPart | ToolCallPart;

export interface SystemMessage {
  role: "system";
  text: string;
}

export interface UserMessage {
  role: "user";
  text: string;
}

export interface AssistantMessage {
  role: "assistant";
  parts: AssistantPart[];
}

/** What the model was told a call gave: text only, bounded; the result itself is in `toolCalls`. */
export interface ToolMessage {
  role: "tool";
  toolCallId: string;
  /** The name the model was offered. */
  name: string;
  text: string;
  isError: boolean;
}

export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;
