/** @module What a judge is shown of one repetition: what was asked and expected, what was said and called. Data, whatever it says. */
import { limits } from "@fettle/contract/core";
import { finalTextOf, type Trace } from "@fettle/evals";
import type { FrozenCase } from "../frozen.ts";
import { JudgeFailure } from "./failure.ts";

export interface Evidence {
  /** Nothing expected: only the request itself can be held against what happened. */
  expectedOutput: string | undefined;
  finalText: string;
  hasResults: boolean;
  /** As JSON, whole. */
  text: string;
}

export function evidenceOf({ item }: FrozenCase, trace: Trace): Evidence {
  const { title, expectedOutput, isNegativeTest } = item;
  return recordedAs({
    title,
    requests: item.steps.flatMap((step) => (step.kind === "prompt" ? [step.prompt] : [])),
    expected: isNegativeTest === true ? "No tool is called." : (expectedOutput ?? null),
    expectedOutput: isNegativeTest === true ? undefined : expectedOutput,
    trace,
  });
}

/** Of a conversation of whatever kind. */
export function recordedAs({
  title,
  requests,
  expected,
  expectedOutput,
  trace,
}: {
  title: string;
  requests: readonly string[];
  expected: string | null;
  expectedOutput: string | undefined;
  trace: Trace;
}): Evidence {
  const record = {
    requests,
    expected,
    conversation: trace.messages,
    toolCalls: trace.toolCalls.map((call) => ({
      tool: call.toolName,
      arguments: call.arguments,
      outcome: call.outcome,
      isError: call.isError,
      result: call.result ?? call.errorMessage ?? null,
    })),
  };
  const text = JSON.stringify(record);
  if (Buffer.byteLength(text) > limits.evals.judge.evidenceBytes) {
    const message = `What was recorded of "${title}" is more than a judge is shown.`;
    throw new JudgeFailure("judge_context_limit", message);
  }
  return {
    expectedOutput,
    finalText: finalTextOf(trace.messages) ?? "",
    hasResults: trace.toolCalls.some(({ outcome }) => outcome === "result"),
    text,
  };
}
