/** @module A conversation as it is shown: turns with their words and calls, and what each thing that is told as it comes adds to one. Pure. */
import { codeOf } from "@fettle/contract/core";
import type { ChatToolCall, ChatTurn } from "@fettle/contract/visitors";
import type { ToldEvent } from "../../api/chat-stream.ts";

export interface ShownCall {
  toolCallId: string;
  /** Null: no server has the tool, or whoever looks is not told which. */
  serverId: string | null;
  serverName: string | null;
  toolName: string;
  input: Record<string, unknown>;
  /** `asked` waits for a person; `refused` was never made; `stopped` neither failed nor answered. */
  state: "asked" | "running" | "ok" | "error" | "refused" | "stopped";
  output?: unknown;
  errorMessage?: string;
  durationMs: number | null;
  truncated?: true;
  /** The tool names a document that shows its result. */
  hasWidget?: true;
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

/** Whoever is told less than everything, such as a visitor, hears of a call by its name and how it ended. */
type ToldCall = Partial<ChatToolCall> & Pick<ChatToolCall, "toolCallId" | "toolName" | "status">;
type ToldEnd = Partial<ChatTurn> & Pick<ChatTurn, "turnId" | "reply">;

export function endedCall(call: ToldCall): ShownCall {
  const { status, output, errorMessage, durationMs } = call;
  return {
    ...callOf(call),
    durationMs: durationMs ?? null,
    state: status === "ok" ? "ok" : call.stopped ? "stopped" : durationMs === null ? "refused" : "error",
    ...(output !== undefined && { output }),
    ...(errorMessage !== undefined && { errorMessage }),
    ...(call.truncated && { truncated: true as const }),
    ...(call.hasWidget && { hasWidget: true as const }),
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
      return withCall(turn, endedCall(data as ToldCall));
    case "done":
      return withEnd(turn, data as ToldEnd);
    case "failed":
      return { ...turn, isRunning: false, error: { code: toldCode(data), message: String(data.message) } };
    default:
      return turn;
  }
}

const toldCode = (data: Record<string, unknown>) => String(codeOf(data.details) ?? data.code);

const callOf = (data: Record<string, unknown>): Omit<ShownCall, "state"> => {
  const { toolCallId, serverId = null, serverName = null, toolName, input = {} } = data as ToldCall;
  return { toolCallId, serverId, serverName, toolName, input, durationMs: null };
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

export function withCall(turn: ShownTurn, call: ShownCall): ShownTurn {
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

function withEnd(
  turn: ShownTurn,
  { turnId, reply, toolCalls = [], usage, finishReason }: ToldEnd,
): ShownTurn {
  const ended = toolCalls.map(endedCall).reduce(withCall, turn);
  // Answered from what was stored, nothing was told before.
  const hasWords = ended.parts.some(({ kind }) => kind === "text");
  const parts = hasWords || !reply ? ended.parts : withWords(ended.parts, "text", reply);
  return {
    ...ended,
    turnId,
    parts,
    isRunning: false,
    ...(usage && { usage }),
    ...(finishReason && { finishReason }),
  };
}
