/** @module A repetition's trace as this page draws it. The wire leaves its parts open; what a newer service says more is left alone. */
import type { EvalIterationTrace } from "@fettle/contract/evals";
import type { JsonObject } from "../../lib/json-exact.ts";

export type Message =
  | { role: "system" | "user"; text: string }
  | { role: "assistant"; parts: readonly Part[] }
  | { role: "tool"; toolCallId: string; name: string; text: string; isError: boolean };

type Part =
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string }
  | {
      type: "tool-call";
      toolCallId: string;
      name: string;
      arguments: JsonObject | null;
      rawArguments?: string;
    };

export interface RecordedCall {
  toolCallId: string;
  toolName: string;
  server: string | null;
  arguments: JsonObject;
  argIssues?: readonly string[];
  outcome: string;
  result?: JsonObject | string;
  isError: boolean | null;
  errorMessage?: string;
  durationMs: number | null;
  pinned?: boolean;
}

export type Span = {
  id: string;
  parentId?: string;
  name: string;
  category: "step" | "llm" | "tool" | "error";
  startMs: number;
  endMs: number;
  status: "ok" | "error";
  toolCallId?: string;
  totalTokens?: number;
};

type ExpectedCall = {
  toolName: string;
  arguments: JsonObject;
};

/** What one turn was to call, and did. */
export interface TurnCalls {
  promptIndex: number;
  expected: readonly ExpectedCall[];
  actual: readonly { toolName: string; arguments: JsonObject }[];
  /** Of `expected`, then of `actual`. */
  pairs: readonly (readonly [number, number])[];
}

export interface Recording {
  messages: readonly Message[];
  toolCalls: readonly RecordedCall[];
  spans: readonly Span[];
  prompts: readonly TurnCalls[];
  warnings: readonly string[];
}

/** Undefined when it is of a version that this page does not know. */
export function recordingOf(trace: EvalIterationTrace): Recording | undefined {
  if (trace.version !== 1) return undefined;
  // Version 1 is what the engine writes; its parts are open objects on the wire.
  return {
    messages: trace.messages as Message[],
    toolCalls: trace.toolCalls as RecordedCall[],
    spans: trace.spans as Span[],
    prompts: trace.prompts.map(({ promptIndex, expected, actual, pairs }) => ({
      promptIndex,
      expected: expected as ExpectedCall[],
      actual: actual as ExpectedCall[],
      pairs,
    })),
    warnings: trace.warnings as string[],
  };
}

export interface SpanRow {
  span: Span;
  depth: number;
}

/** Each span below the one it is part of, in the order of time. */
export function spanRows(spans: readonly Span[]): SpanRow[] {
  const known = new Set(spans.map(({ id }) => id));
  const below = Map.groupBy(spans, ({ parentId }) =>
    parentId !== undefined && known.has(parentId) ? parentId : undefined,
  );
  const walk = (parent: string | undefined, depth: number): SpanRow[] =>
    (below.get(parent) ?? [])
      .toSorted((a, b) => a.startMs - b.startMs)
      .flatMap((span) => [{ span, depth }, ...walk(span.id, depth + 1)]);
  return walk(undefined, 0);
}
