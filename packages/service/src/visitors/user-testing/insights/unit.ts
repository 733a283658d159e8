/** @module A visitor's session as insights look at it: from what was said and what the turns answered to what was called, rated and how it ended. */
import { type ChatTurnId, limits } from "@fettle/contract/core";
import { type ModelClass, modelClasses } from "@fettle/contract/evals";
import type { ChatToolCall, ChatTurn, ChatTurnWire } from "@fettle/contract/visitors";
import { finalTextOf, type Message } from "@fettle/evals";
import type { Unit, UnitCall, UnitEnd } from "@fettle/insights";
import { settledOf } from "../../chat/store.ts";
import type { JoinedSession, RatingRow } from "../session-store.ts";
import type { ScenarioRow } from "../store.ts";
import type { listMessages, listTurns } from "./window-store.ts";

type Turn = Awaited<ReturnType<typeof listTurns>>[number];
type Said = Awaited<ReturnType<typeof listMessages>>[number];

export interface Visited extends JoinedSession {
  scenario: ScenarioRow;
  /** How it ended, as it is known by now. */
  ended: JoinedSession["session"]["ended"];
  turns: readonly Turn[];
  messages: readonly Said[];
  ratings: readonly RatingRow[];
  /** The hash of what each server offered, and which of them has a tool. */
  met: Readonly<Record<string, string>>;
  ownerOf(toolName: string): string | null;
}

/** A turn with what was said in it. */
interface Played {
  turn: Turn;
  answer: ChatTurn | null;
  said: { index: number; message: Message }[];
}

export function toUnit(visited: Visited): Unit {
  const { session, chat, scenario, messages, met } = visited;
  const saidIn = Map.groupBy(messages, ({ turnId }): ChatTurnId => turnId);
  const played = visited.turns.map(
    (turn): Played => ({
      turn,
      answer: turn.answer,
      said: saidIn.get(turn.id) ?? [],
    }),
  );
  const { inputTokens, outputTokens } = chat;
  const { target } = settledOf(chat);
  const { deviceKind, language, recency, authType } = session;
  return {
    kind: "session",
    id: session.id,
    startedAt: session.startedAt.getTime(),
    durationMs: session.lastActivityAt.getTime() - session.startedAt.getTime(),
    model: modelOf(chat.model, played),
    surface: { id: scenario.id, label: scenario.name },
    ...(target.kind !== "servers" && {
      target: { kind: target.kind, id: target.id ?? target.name, label: target.name },
    }),
    cohort: {
      deviceKind: deviceKind ?? undefined,
      language: language ?? undefined,
      recency,
      authType,
    },
    snapshots: met,
    turns: played.map(({ turn, said }) => ({
      user: said.flatMap(({ message }) => (message.role === "user" ? [message.text] : []))[0] ?? turn.message,
      answer: finalTextOf(said.map(({ message }) => message)) ?? null,
      messageIndex: turn.messageStart ?? chat.messageCount,
    })),
    calls: played.flatMap((one, place) => callsOf(one, place, visited)),
    totalTokens:
      inputTokens === null && outputTokens === null ? null : (inputTokens ?? 0) + (outputTokens ?? 0),
    verdict: null,
    isGating: false,
    ...(session.ratingCount > 0 && { feedback: feedbackOf(visited) }),
    end: endOf(visited, played),
    ...(messages.length < chat.messageCount && { isUnreadable: true }),
  };
}

/** With where the answer stands that the visitor's words are about. */
function feedbackOf({ session, turns, ratings }: Visited): Unit["feedback"] {
  const said = ratings.findLast(({ comment }) => comment !== null);
  const rated = turns.find(({ id }) => id === said?.turnId);
  return {
    isNegative: session.isNegative,
    comment: session.comment ?? undefined,
    messageIndex: rated?.messageStart ?? undefined,
  };
}

function modelOf(id: string, played: readonly Played[]): Unit["model"] {
  const said = played.findLast(({ answer }) => answer !== null)?.answer?.model.modelClass;
  const modelClass = modelClasses.find((one: ModelClass) => one === said);
  return modelClass ? { id, modelClass } : null;
}

function endOf({ session, chat, scenario, ended }: Visited, played: readonly Played[]): UnitEnd {
  const { servers } = settledOf(chat).target;
  const last = played.at(-1);
  return {
    stopCause: last?.answer?.stop ?? (last ? "failed" : null),
    // Which of several it was is not known.
    ...(session.authInterrupted && servers.length === 1 && servers[0] && { authWallOf: servers[0].id }),
    idleAfterMs: ended === "idle" ? limits.userTesting.idleMs : null,
    reachedTurnCap: chat.turnCount >= scenario.guestExecution.maxTurnsPerSession,
  };
}

/** As the turn answered; of one that failed, as far as it was said. */
function callsOf({ turn, answer, said }: Played, place: number, { ownerOf }: Visited): UnitCall[] {
  const asked = said.flatMap(({ index, message }) =>
    message.role === "assistant"
      ? message.parts.flatMap((part) => (part.type === "tool-call" ? [{ index, part }] : []))
      : [],
  );
  const indexOf = new Map(asked.map(({ index, part }) => [part.toolCallId, index]));
  if (answer) {
    const codes = codesIn(turn.wire ?? []);
    return answer.toolCalls.map((call) => ({
      turn: place,
      messageIndex: indexOf.get(call.toolCallId) ?? turn.messageStart ?? 0,
      ...answered(call, codes.get(call.toolCallId)),
    }));
  }
  const results = new Map(
    said.flatMap(({ message }) => (message.role === "tool" ? [[message.toolCallId, message]] : [])),
  );
  return asked.map(({ index, part }) => {
    const result = results.get(part.toolCallId);
    return {
      turn: place,
      messageIndex: index,
      serverId: ownerOf(part.name),
      toolName: part.name,
      arguments: part.arguments ?? {},
      end: result === undefined ? "unsent" : result.isError ? "error" : "ok",
      ...(result?.isError && { error: { text: result.text } }),
      resultBytes: null,
      durationMs: null,
    };
  });
}

function answered(call: ChatToolCall, code: number | undefined): Omit<UnitCall, "turn" | "messageIndex"> {
  const { serverId, toolName, input, status, output, errorMessage, durationMs } = call;
  return {
    serverId,
    toolName,
    arguments: input,
    // Not allowed, not a call, or stopped: nothing that is asked of visitors tells these apart.
    end: durationMs === null ? "unsent" : status,
    ...(output !== undefined && { result: output }),
    resultBytes: output === undefined ? null : Buffer.byteLength(JSON.stringify(output)),
    // What the tool says in its result is read from there.
    ...(status === "error" &&
      output === undefined && { error: { text: errorMessage ?? "", ...(code !== undefined && { code }) } }),
    durationMs,
  };
}

/** The JSON-RPC errors that calls were answered with. */
function codesIn(calls: ChatTurnWire["calls"]): Map<string, number> {
  return new Map(
    calls.flatMap(({ toolCallId, messages }): [string, number][] =>
      messages.flatMap(({ direction, message }): [string, number][] => {
        if (direction !== "receive" || typeof message !== "object" || message === null) return [];
        const error = "error" in message ? message.error : undefined;
        const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
        return typeof code === "number" ? [[toolCallId, code]] : [];
      }),
    ),
  );
}
