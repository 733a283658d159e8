/** @module Writes a trace while it happens: one clock, one counter, everything in the order in which it was asked for. */

import { must } from "@fettle/contract/formats";
import type { Message, Usage } from "../models/messages.ts";
import type { Model } from "../models/model.ts";
import { costOf } from "../models/spend.ts";
import type { AgentServer } from "./servers.ts";
import { type ToolCatalog, traceTool } from "./tool-catalog.ts";
import {
  exclusionOf,
  type Fault,
  type Span,
  type ToolCall,
  type Trace,
  type Turn,
  traceVersion,
} from "./trace.ts";

type NewFault = Omit<Fault, "atMs" | "turn">;
type NewSpan = Omit<Span, "id" | "endMs">;

export class TraceRecorder {
  readonly trace: Trace;
  readonly #model: Model;
  readonly #clock: () => number;
  readonly #began: number;
  readonly #ids = new Set<string>();
  #spans = 0;

  constructor(
    model: Model,
    servers: readonly AgentServer[],
    catalog: ToolCatalog,
    system: string | undefined,
    clock: () => number,
  ) {
    this.#model = model;
    this.#clock = clock;
    this.#began = clock();
    const { id, provider, modelClass, deterministic, notice } = model;
    this.trace = {
      version: traceVersion,
      model: { id, provider, modelClass, deterministic },
      startedAt: Date.now(),
      durationMs: 0,
      servers: servers.map(({ name, connection }) => ({
        name,
        transport: connection.transport,
        protocolVersion: connection.protocolVersion,
        serverInfo: connection.serverInfo,
        toolsHash: must(catalog.hashes.servers[name], "a hash for each server"),
      })),
      tools: catalog.tools.map(traceTool),
      messages: system === undefined || system === "" ? [] : [{ role: "system", text: system }],
      turns: [],
      toolCalls: [],
      policyBlocks: [],
      faults: [],
      spans: [],
      usage: {},
      costUsd: null,
      exclusion: null,
      warnings: notice === undefined ? [] : [notice],
    };
  }

  /** Whole milliseconds since the trace began. */
  now(): number {
    return Math.round(this.#clock() - this.#began);
  }

  get turn(): number {
    return this.trace.turns.length;
  }

  say(message: Message): void {
    this.trace.messages.push(message);
  }

  /** Said before this trace began; the ids of its calls are taken. */
  recall(message: Message): void {
    this.say(message);
    if (message.role !== "assistant") return;
    for (const part of message.parts) if (part.type === "tool-call") this.#ids.add(part.toolCallId);
  }

  warn(warnings: readonly string[]): void {
    for (const warning of warnings) {
      if (!this.trace.warnings.includes(warning)) this.trace.warnings.push(warning);
    }
  }

  /** The model was not offered a tool, named as it would have been. */
  leaveOut(offeredName: string, reason: string): void {
    const tool = this.trace.tools.find((one) => (one.offeredName ?? one.name) === offeredName);
    if (!tool) return;
    tool.notOffered = reason;
    this.warn([`The model was not offered ${tool.name}: ${reason}.`]);
  }

  fault(fault: NewFault): void {
    this.trace.faults.push({ ...fault, atMs: this.now(), turn: this.turn });
  }

  span(span: NewSpan): Span {
    const whole: Span = { id: `s${++this.#spans}`, endMs: span.startMs, ...span };
    this.trace.spans.push(whole);
    return whole;
  }

  /** Models repeat ids, some from turn to turn; in a trace each names one call. */
  uniqueCallId(wanted: string): string {
    let id = wanted;
    for (let count = 2; id === "" || this.#ids.has(id); count++) id = `${wanted}~${count}`;
    this.#ids.add(id);
    return id;
  }

  call(call: Omit<ToolCall, "index" | "turn">): ToolCall {
    const whole: ToolCall = { index: this.trace.toolCalls.length, turn: this.turn, ...call };
    this.trace.toolCalls.push(whole);
    return whole;
  }

  endTurn(turn: Omit<Turn, "index" | "durationMs" | "messageEnd">): Turn {
    const { trace } = this;
    const whole: Turn = {
      index: this.turn,
      ...turn,
      messageEnd: trace.messages.length - 1,
      durationMs: this.now() - turn.startMs,
    };
    trace.turns.push(whole);
    trace.exclusion ??= exclusionOf[turn.stop];
    if (turn.kind === "prompt") {
      const isFirst = trace.turns.every(({ kind, index }) => kind !== "prompt" || index === whole.index);
      trace.usage = isFirst ? turn.usage : addUsage(trace.usage, turn.usage);
      trace.costUsd = costOf(trace.usage, this.#model.price);
    }
    const cassette = this.#model.cassette?.();
    if (cassette) trace.cassette = { ...cassette };
    trace.durationMs = this.now();
    return whole;
  }
}

/** A sum is known only when every part of it is. */
export function addUsage(one: Usage, other: Usage): Usage {
  const sum: Usage = {};
  for (const key of ["input", "output", "total"] as const) {
    const [left, right] = [one[key], other[key]];
    if (left !== undefined && right !== undefined) sum[key] = left + right;
  }
  // These are told only where there are any.
  for (const key of ["cached", "cacheWritten", "reasoning"] as const) {
    if (one[key] !== undefined || other[key] !== undefined) sum[key] = (one[key] ?? 0) + (other[key] ?? 0);
  }
  if (one.estimated || other.estimated) sum.estimated = true;
  return sum;
}
