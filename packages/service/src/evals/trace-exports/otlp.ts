/** @module Recorded traces as OpenTelemetry spans (OTLP, JSON). What was said is left out unless it is asked for. */
import { createHash } from "node:crypto";
import type { Span } from "@fettle/evals";

/** One repetition, as far as it is exported. */
export interface Exported {
  iterationId: string;
  runId: string;
  suiteId: string;
  caseKey: string;
  title: string;
  result: string | null;
  startedAt: Date | null;
  createdAt: Date;
  durationMs: number | null;
  trace: { messages?: unknown[]; spans?: Span[]; servers?: { name: string }[] };
}

type Attribute = { key: string; value: object };

const idOf = (text: string, bytes: number) =>
  createHash("sha256")
    .update(text)
    .digest("hex")
    .slice(0, 2 * bytes);
const nanos = (ms: number) => `${BigInt(Math.round(ms * 1_000)) * 1_000n}`;

/** Absent where nothing is known: an attribute that says 0 would be believed. */
function attribute(key: string, value: unknown): Attribute[] {
  if (value === undefined || value === null) return [];
  if (typeof value === "string") return [{ key, value: { stringValue: value } }];
  if (typeof value === "boolean") return [{ key, value: { boolValue: value } }];
  if (Array.isArray(value)) {
    return [{ key, value: { arrayValue: { values: value.map((one) => ({ stringValue: String(one) })) } } }];
  }
  const number = Number(value);
  return [{ key, value: Number.isInteger(number) ? { intValue: String(number) } : { doubleValue: number } }];
}

export function toOtlp(exported: readonly Exported[], { includeContent }: { includeContent: boolean }) {
  return {
    resourceSpans: exported.map((one) => ({
      resource: {
        attributes: [
          ...attribute("service.name", "fettle"),
          ...attribute("fettle.eval.suite.id", one.suiteId),
          ...attribute("fettle.eval.run.id", one.runId),
        ],
      },
      scopeSpans: [{ scope: { name: "fettle.evals" }, spans: spansOf(one, includeContent) }],
    })),
  };
}

function spansOf(one: Exported, includeContent: boolean) {
  const traceId = idOf(one.iterationId, 16);
  const spanId = (id: string) => idOf(`${one.iterationId} ${id}`, 8);
  const began = (one.startedAt ?? one.createdAt).getTime();
  const spans = one.trace.spans ?? [];
  const rootId = spanId("");
  const root = {
    traceId,
    spanId: rootId,
    name: one.title,
    kind: 1,
    startTimeUnixNano: nanos(began),
    endTimeUnixNano: nanos(began + (one.durationMs ?? 0)),
    status: { code: one.result === "failed" ? 2 : one.result === "passed" ? 1 : 0 },
    attributes: [
      ...attribute("fettle.eval.iteration.id", one.iterationId),
      ...attribute("fettle.eval.case.key", one.caseKey),
      ...attribute("fettle.eval.result", one.result),
      ...(includeContent ? attribute("fettle.eval.messages", JSON.stringify(one.trace.messages ?? [])) : []),
    ],
  };
  return [
    root,
    ...spans.map((span) => ({
      traceId,
      spanId: spanId(span.id),
      parentSpanId: span.parentId === undefined ? rootId : spanId(span.parentId),
      name: span.name,
      // A call to somebody else, or something of our own.
      kind: span.category === "llm" || span.category === "tool" ? 3 : 1,
      startTimeUnixNano: nanos(began + span.startMs),
      endTimeUnixNano: nanos(began + span.endMs),
      status: { code: span.status === "error" ? 2 : 1 },
      attributes: attributesOf(span),
    })),
  ];
}

function attributesOf(span: Span): Attribute[] {
  const { finishReason, ttfcMs, mcpErrorCode } = span;
  // Those two are how a client says that a connection or a wait was over; no server answered with them.
  const answered = mcpErrorCode === -32000 || mcpErrorCode === -32001 ? undefined : mcpErrorCode;
  return [
    ...attribute("fettle.span.category", span.category),
    ...attribute("fettle.eval.step.id", span.authoredStepId),
    ...attribute("gen_ai.request.model", span.modelId),
    ...attribute("gen_ai.provider.name", span.provider),
    ...attribute("gen_ai.response.id", span.responseId),
    ...attribute("gen_ai.response.finish_reasons", finishReason === undefined ? undefined : [finishReason]),
    ...attribute("gen_ai.response.time_to_first_chunk", ttfcMs === undefined ? undefined : ttfcMs / 1_000),
    ...attribute("gen_ai.usage.input_tokens", span.inputTokens),
    ...attribute("gen_ai.usage.output_tokens", span.outputTokens),
    ...attribute("gen_ai.tool.name", span.toolName),
    ...attribute("gen_ai.tool.call.id", span.toolCallId),
    ...attribute("fettle.mcp.server", span.serverId),
    ...attribute("rpc.response.status_code", answered === undefined ? undefined : String(answered)),
  ];
}
