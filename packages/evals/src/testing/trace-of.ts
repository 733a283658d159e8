/** @module Traces for tests of grading: what an agent did, in one line per turn. */
import type { ToolCall, Trace } from "../agent/trace.ts";
import type { Message } from "../models/messages.ts";

export interface ToldCall {
  toolName: string;
  arguments?: Record<string, unknown>;
  outcome?: ToolCall["outcome"];
  isError?: boolean;
  text?: string;
}

/** A turn: what was called, and what was answered in the end. */
export interface ToldTurn {
  calls?: ToldCall[];
  answer?: string;
  pinned?: true;
}

export function traceOf(...told: ToldTurn[]): Trace {
  const messages: Message[] = [];
  const toolCalls: ToolCall[] = [];
  const turns = told.map(({ calls = [], answer, pinned }, index): Trace["turns"][number] => {
    const messageStart = messages.length;
    messages.push({ role: "user", text: `turn ${index}` });
    for (const call of calls) {
      const outcome = call.outcome ?? "result";
      toolCalls.push({
        toolCallId: `call_${toolCalls.length}`,
        index: toolCalls.length,
        turn: index,
        ...(pinned && { pinned }),
        server: "orders",
        toolName: call.toolName,
        arguments: call.arguments ?? {},
        argsValid: true,
        argIssues: [],
        outcome,
        ...(outcome === "result" && { result: { content: [{ type: "text", text: call.text ?? "" }] } }),
        isError: call.isError ?? false,
        ...(call.isError && { errorMessage: call.text ?? "" }),
        resultBytes: 10,
        startMs: 0,
        durationMs: 5,
      });
    }
    messages.push({ role: "assistant", parts: answer === undefined ? [] : [{ type: "text", text: answer }] });
    return {
      index,
      kind: pinned ? "toolCall" : "prompt",
      messageStart,
      messageEnd: messages.length - 1,
      steps: 1,
      stop: "completed",
      finishReason: "stop",
      usage: { input: 10, output: 5 },
      startMs: 0,
      durationMs: 5,
    };
  });
  return {
    version: 1,
    model: { id: "fettle/rules-1", provider: "fettle", modelClass: "rules", deterministic: true },
    startedAt: 0,
    durationMs: 5,
    servers: [],
    tools: [],
    messages,
    turns,
    toolCalls,
    policyBlocks: [],
    faults: [],
    spans: [],
    usage: { input: 10 * turns.length, output: 5 * turns.length },
    costUsd: null,
    exclusion: null,
    warnings: [],
  };
}
