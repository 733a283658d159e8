/** @module The part of a trace that grading reads, for the whole of it or for one turn. */
import { finalTextOf, type ToolCall, type ToolError, type Trace, toolErrorsOf } from "../agent/trace.ts";
import type { GradedCall, Transcript } from "../predicates/transcript.ts";

/** `turn` absent: everything until now. */
export function transcriptOf(
  trace: Trace,
  turn?: number,
): Transcript & { toolCalls: GradedCall[]; toolErrors: ToolError[] } {
  const bounds = turn === undefined ? undefined : trace.turns.find(({ index }) => index === turn);
  const messages = bounds
    ? trace.messages.slice(bounds.messageStart, bounds.messageEnd + 1)
    : turn === undefined
      ? trace.messages
      : [];
  const inScope = (one: { turn: number }) => turn === undefined || one.turn === turn;
  const finalText = finalTextOf(messages);
  const usage = turn === undefined ? trace.usage : bounds?.usage;
  return {
    // What the policy kept back or what never was a call is none: it did not reach the server.
    toolCalls: trace.toolCalls
      .filter((call) => inScope(call) && (call.outcome === "result" || call.outcome === "failed"))
      .map(gradedCall),
    toolErrors: toolErrorsOf(trace).filter(inScope),
    ...(finalText !== undefined && { finalText }),
    ...(usage && {
      usage: {
        ...(usage.input !== undefined && { inputTokens: usage.input }),
        ...(usage.output !== undefined && { outputTokens: usage.output }),
        ...(usage.total !== undefined && { totalTokens: usage.total }),
      },
    }),
    turnCount: trace.turns.filter(({ kind }) => kind === "prompt").length,
  };
}

function gradedCall(call: ToolCall): GradedCall {
  const { toolName, server, result, isError, durationMs, resultBytes } = call;
  return {
    toolName,
    ...(server !== null && { serverName: server }),
    arguments: call.arguments,
    ...(result !== undefined && { result: { ...readResult(result), isError: isError === true } }),
    ...(durationMs !== null && { durationMs }),
    ...(resultBytes !== null && { resultBytes }),
  };
}

function readResult(result: NonNullable<ToolCall["result"]>): { text: string; structured?: unknown } {
  // Too large to be kept whole: its beginning is all there is to look at.
  if (typeof result === "string") return { text: result };
  const content = Array.isArray(result.content) ? result.content : [];
  const texts = content.flatMap((block) =>
    typeof block === "object" && block !== null && "text" in block && typeof block.text === "string"
      ? [block.text]
      : [],
  );
  return { text: texts.join("\n"), structured: result.structuredContent };
}
