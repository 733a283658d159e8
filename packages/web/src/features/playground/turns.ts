/** @module Turns of a person with a model, from what the service kept of them. Pure. */
import type { ChatMessage, ChatToolCall, ChatTurnRecord } from "@fettle/contract/visitors";
import {
  emptyTurn,
  endedCall,
  type ShownCall,
  type ShownPart,
  type ShownTurn,
  withCall,
  withTold,
} from "../../kit/chat/turns.ts";
import { rulesModel } from "./start.ts";

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
    serverId: null,
    serverName: null,
    toolName: name,
    input: part.arguments ?? {},
    state: answer && !answer.isError ? "ok" : "error",
    ...(answer?.isError ? { errorMessage: answer.text } : { output: answer?.text }),
    durationMs: null,
  };
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
  const asked = pendingCalls.map(
    (call): ShownCall => ({ ...call, serverId: null, state: "asked", durationMs: null }),
  );
  return asked.reduce(withCall, { ...turn, turnId, message, parts: decided });
}

/** Nothing goes on in it any more, and nobody is asked. */
export const cutOff = (turn: ShownTurn): ShownTurn => ({
  ...turn,
  parts: turn.parts.map((part) =>
    part.kind === "call" && (part.call.state === "asked" || part.call.state === "running")
      ? { ...part, call: { ...part.call, state: "stopped" as const } }
      : part,
  ),
});

const lettersOf = (parts: readonly ShownPart[]) =>
  parts.reduce((sum, part) => sum + (part.kind === "call" ? 1 : part.text.length), 0);
