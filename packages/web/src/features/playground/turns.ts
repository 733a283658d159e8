/** @module A conversation as it is shown: turns with their words and calls, from what was kept or from what is told as it comes. Pure. */
import type { ChatMessage, ChatToolCall, ChatTurn, ChatTurnRecord } from "@fettle/contract";
import type { ToldEvent } from "../../api/chat-stream.ts";
import { rulesModel } from "./start.ts";

export interface ShownCall {
  toolCallId: string;
  serverName: string | null;
  toolName: string;
  input: Record<string, unknown>;
  /** `asked` waits for a person; `refused` was never made. */
  state: "asked" | "running" | "ok" | "error" | "refused";
  output?: unknown;
  errorMessage?: string;
  durationMs: number | null;
  truncated?: true;
}

export type ShownPart = { kind: "text" | "reasoning"; text: string } | { kind: "call"; call: ShownCall };

export interface ShownTurn {
  turnId: string | null;
  /** Place among the kept turns; null while it is under way. */
  promptIndex: number | null;
  /** Null: it was sent elsewhere and is not kept yet. */
  message: string | null;
  parts: readonly ShownPart[];
  isRunning: boolean;
  /** What ended it, if not an answer. */
  finishReason?: string;
  usage?: ChatTurn["usage"];
  tookMs: number | null;
  error?: { code: string; message: string };
}

/** What was kept: the records say what was called and what it took, the messages what was said. */
export function keptTurns(records: readonly ChatTurnRecord[], messages: readonly ChatMessage[]): ShownTurn[] {
  const byTurn = Map.groupBy(messages, ({ turnId }) => turnId);
  return records.map((record) => {
    const said = byTurn.get(record.turnId) ?? [];
    const { turnId, promptIndex, startedAt, endedAt, usage, finishReason, error } = record;
    return {
      turnId,
      promptIndex,
      message: said.flatMap(({ role, content }) => (role === "user" ? [String(content)] : [])).join("\n"),
      parts: partsOf(said, record.toolCalls ?? []),
      isRunning: false,
      tookMs: endedAt === null ? null : endedAt - startedAt,
      // Its price is on no list, because it has none.
      ...(usage && { usage: record.modelId === rulesModel ? { ...usage, costUsd: 0 } : usage }),
      ...(finishReason && { finishReason }),
      ...(error && { error }),
    };
  });
}

/** As the service writes them; what is of a newer one is left out. */
interface StoredPart {
  type: string;
  text?: string;
  toolCallId?: string;
  name?: string;
  arguments?: Record<string, unknown> | null;
}
interface StoredAnswer {
  toolCallId: string;
  text: string;
  isError: boolean;
}

function partsOf(said: readonly ChatMessage[], calls: readonly ChatToolCall[]): ShownPart[] {
  const known = new Map(calls.map((call) => [call.toolCallId, endedCall(call)]));
  const answers = new Map(
    said.flatMap(({ role, content }) => {
      const answer = content as StoredAnswer;
      return role === "tool" ? [[answer.toolCallId, answer] as const] : [];
    }),
  );
  return said.flatMap(({ role, content }) => {
    if (role !== "assistant" || !Array.isArray(content)) return [];
    return (content as StoredPart[]).flatMap((part): ShownPart[] => {
      if (part.type === "text" || part.type === "reasoning") {
        return part.text ? [{ kind: part.type, text: part.text }] : [];
      }
      if (part.type !== "tool-call" || !part.toolCallId) return [];
      const call = known.get(part.toolCallId) ?? rememberedCall(part, answers.get(part.toolCallId));
      return [{ kind: "call", call }];
    });
  });
}

/** Of a turn that failed only the words are kept. */
function rememberedCall(
  { toolCallId = "", name = "", ...part }: StoredPart,
  answer?: StoredAnswer,
): ShownCall {
  return {
    toolCallId,
    serverName: null,
    toolName: name,
    input: part.arguments ?? {},
    state: answer && !answer.isError ? "ok" : "error",
    ...(answer?.isError ? { errorMessage: answer.text } : { output: answer?.text }),
    durationMs: null,
  };
}

export function endedCall(call: ChatToolCall): ShownCall {
  const { toolCallId, serverName, toolName, input, status, output, errorMessage, durationMs } = call;
  return {
    ...{ toolCallId, serverName, toolName, input, durationMs },
    state: status === "ok" ? "ok" : durationMs === null ? "refused" : "error",
    ...(output !== undefined && { output }),
    ...(errorMessage !== undefined && { errorMessage }),
    ...(call.truncated && { truncated: true as const }),
  };
}

export const emptyTurn = (message: string | null): ShownTurn => ({
  turnId: null,
  promptIndex: null,
  message,
  parts: [],
  isRunning: true,
  tookMs: null,
});

/** The turn after one more event of its stream. */
export function withTold(turn: ShownTurn, { event, data }: ToldEvent): ShownTurn {
  switch (event) {
    case "began":
      return { ...turn, turnId: String(data.turnId) };
    case "text":
    case "reasoning":
      return { ...turn, parts: withWords(turn.parts, event, String(data.text)) };
    case "tool-start":
      return withCall(turn, { ...callOf(data), state: "running" });
    case "ask":
      return withCall(turn, { ...callOf(data), state: "asked" });
    case "decided":
      return patchCall(turn, String(data.toolCallId), { state: data.allow === true ? "running" : "refused" });
    case "tool-end":
      return withCall(turn, endedCall(data as ChatToolCall));
    case "done":
      return withEnd(turn, data as ChatTurn);
    case "failed":
      return { ...turn, isRunning: false, error: { code: codeOf(data), message: String(data.message) } };
    default:
      return turn;
  }
}

const codeOf = (data: Record<string, unknown>) => {
  const { code } = (data.details ?? {}) as { code?: unknown };
  return String(code ?? data.code);
};

const callOf = (data: Record<string, unknown>): Omit<ShownCall, "state"> => {
  const { toolCallId, serverName, toolName, input } = data as ChatToolCall;
  return { toolCallId, serverName, toolName, input, durationMs: null };
};

function withWords(
  parts: readonly ShownPart[],
  kind: "text" | "reasoning",
  text: string,
): readonly ShownPart[] {
  const last = parts.at(-1);
  if (last?.kind !== kind) return [...parts, { kind, text }];
  return parts.with(-1, { kind, text: last.text + text });
}

function withCall(turn: ShownTurn, call: ShownCall): ShownTurn {
  const at = turn.parts.findIndex((part) => part.kind === "call" && part.call.toolCallId === call.toolCallId);
  const part = { kind: "call" as const, call };
  return { ...turn, parts: at < 0 ? [...turn.parts, part] : turn.parts.with(at, part) };
}

function patchCall(turn: ShownTurn, toolCallId: string, change: Partial<ShownCall>): ShownTurn {
  const parts = turn.parts.map((part) =>
    part.kind === "call" && part.call.toolCallId === toolCallId
      ? { ...part, call: { ...part.call, ...change } }
      : part,
  );
  return { ...turn, parts };
}

function withEnd(turn: ShownTurn, { turnId, reply, toolCalls, usage, finishReason }: ChatTurn): ShownTurn {
  const ended = toolCalls.map(endedCall).reduce(withCall, turn);
  // Answered from what was stored, nothing was told before.
  const hasWords = ended.parts.some(({ kind }) => kind === "text");
  const parts = hasWords || !reply ? ended.parts : withWords(ended.parts, "text", reply);
  return { ...ended, turnId, parts, usage, finishReason, isRunning: false };
}

/** A turn that another page sent, or this one before it was loaded anew: what it has told so far, and the calls that wait. */
export function withPending(
  turn: ShownTurn,
  { turnId, pendingCalls = [], told = [], ...record }: ChatTurnRecord,
): ShownTurn {
  const message = record.message ?? turn.message;
  const soFar = told.reduce(withTold, emptyTurn(message)).parts;
  // What this page heard before it lost the stream may be more than was kept by then.
  const known = lettersOf(soFar) < lettersOf(turn.parts) ? turn.parts : soFar;
  // What waited and does not wait any more was decided in another page.
  const decided = known.map((part) =>
    part.kind === "call" && part.call.state === "asked"
      ? { ...part, call: { ...part.call, state: "running" as const } }
      : part,
  );
  const asked = pendingCalls.map((call): ShownCall => ({ ...call, state: "asked", durationMs: null }));
  return asked.reduce(withCall, { ...turn, turnId, message, parts: decided });
}

const lettersOf = (parts: readonly ShownPart[]) =>
  parts.reduce((sum, part) => sum + (part.kind === "call" ? 1 : part.text.length), 0);
