/** @module What is kept of a turn and answered for it, from the trace that its agent left. Pure but for the two that write. */
import { ApiError, errorStatus, limits } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import type { ChatToolCall, ChatTurn, ChatTurnWire } from "@fettle/contract/visitors";
import {
  finalTextOf,
  type Message,
  type Span,
  type StopCause,
  type ToolCall,
  type Trace,
} from "@fettle/evals";
import type { App } from "../../core/app.ts";
import type { Transaction } from "../../core/db/pool.ts";
import type { StoredError } from "../../core/tables/chat.ts";
import { ownFaultMessage } from "../../models/own-faults.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { nameBy, type Sending } from "./claim.ts";
import { refused } from "./refuse.ts";
import * as store from "./store.ts";

const { chat } = limits;

/** A turn that an agent has played, with what must not be told taken out. */
export interface Played {
  trace: Trace;
  advertised: number;
  excluded: number;
  /** The messages of each call. */
  wire: ChatTurnWire["calls"];
}

export interface Claimed {
  session: store.SessionRow;
  turnId: store.TurnRow["id"];
}

const theTurn = ({ turns }: Trace) => must(turns.at(-1), "the turn that was played");

/** What was said in this turn, and nothing of before. */
function saidIn(trace: Trace): Message[] {
  const { messageStart, messageEnd } = theTurn(trace);
  return trace.messages.slice(messageStart, messageEnd + 1);
}

/** What the person said, as it is kept: without what turned out to be a credential. */
function askedIn(trace: Trace): string {
  return saidIn(trace).find((message) => message.role === "user")?.text ?? "";
}

export function toTurn(
  { session, turnId }: Claimed,
  { settled, project, origin, body }: Pick<Sending, "settled" | "project" | "origin" | "body">,
  { trace, advertised, excluded }: Played,
  promptIndex: number,
): ChatTurn {
  const { usage, stop, finishReason } = theTurn(trace);
  const spans = toSpans(trace, promptIndex, session.messageCount);
  const { id, provider, modelClass } = trace.model;
  return {
    sessionId: session.id,
    turnId,
    projectId: project.id,
    reply: finalTextOf(saidIn(trace)) ?? null,
    finishReason: stop === "cancelled" ? "cancelled" : finishReason,
    stop,
    toolCalls: trace.toolCalls.map((call) => toToolCall(call, settled.target.servers)),
    trace: { turnId, spanCount: spans.length, spans },
    usage: {
      ...(usage.input !== undefined && { inputTokens: usage.input }),
      ...(usage.output !== undefined && { outputTokens: usage.output }),
      ...(usage.total !== undefined && { totalTokens: usage.total }),
      costUsd: trace.costUsd,
    },
    model: { id, provider, modelClass },
    toolMode: settled.toolMode,
    advertisedToolCount: advertised,
    excludedToolCount: excluded,
    ...narrowedBy(body),
    persisted: { outcome: "saved", version: session.version + 1 },
    origin,
    warnings: trace.warnings,
  };
}

/** What the message allowed less than the conversation it is part of. */
function narrowedBy({ allowedServerIds, allowedTools, maxToolCalls, maxSteps }: Sending["body"]) {
  const narrowed = {
    ...(allowedServerIds && { allowedServerIds }),
    ...(allowedTools && { allowedTools }),
    ...(maxToolCalls !== undefined && { maxToolCalls }),
    ...(maxSteps !== chat.steps.fallback && { maxSteps }),
  };
  return Object.keys(narrowed).length > 0 ? { narrowed } : {};
}

export function toToolCall(call: ToolCall, servers: readonly { id: string; name: string }[]): ChatToolCall {
  const { result, isError, errorMessage, durationMs } = call;
  const isCut = call.truncated === true || JSON.stringify(result ?? null).length > chat.shownBytes;
  const output =
    isCut && typeof result !== "string" ? JSON.stringify(result).slice(0, chat.shownBytes) : result;
  const status = isError === false ? "ok" : "error";
  return {
    toolCallId: call.toolCallId,
    serverId: servers.find(({ name }) => name === call.server)?.id ?? null,
    serverName: call.server,
    toolName: call.toolName,
    input: call.arguments,
    status,
    ...(call.outcome === "cancelled" && { stopped: true as const }),
    ...(output !== undefined && { output }),
    ...(status === "error" && {
      errorMessage: errorMessage ?? withoutResult[call.outcome] ?? "No result was recorded.",
    }),
    durationMs,
    ...(isCut && { truncated: true }),
    ...(call.hasWidget && { hasWidget: true }),
  };
}

/** Why a call came to nothing, where nobody said so. */
const withoutResult: Partial<Record<ToolCall["outcome"], string>> = {
  blocked: "It was not allowed, so it was not made.",
  cancelled: "It was stopped before it answered.",
};

/** Positions as the whole conversation counts them. */
function toSpans(trace: Trace, promptIndex: number, before: number): Record<string, unknown>[] {
  const shift = before - theTurn(trace).messageStart;
  const moved = (index: number | undefined) => (index === undefined ? undefined : Math.max(0, index + shift));
  return trace.spans.map((span: Span) => ({
    ...span,
    ...(span.promptIndex !== undefined && { promptIndex }),
    ...(span.messageStartIndex !== undefined && { messageStartIndex: moved(span.messageStartIndex) }),
    ...(span.messageEndIndex !== undefined && { messageEndIndex: moved(span.messageEndIndex) }),
  }));
}

/** Ends without an answer that anybody could use. */
const failures: Partial<Record<StopCause, true>> = {
  time_limit: true,
  model_error: true,
  spend_limit: true,
  internal_error: true,
  cassette_stale: true,
  cassette_miss: true,
};

const retrySeconds = 2;

/** What a turn that failed is refused with; undefined for one that has an answer. */
export function failureOf(
  { trace }: Pick<Played, "trace">,
  details: Record<string, unknown>,
): ApiError | undefined {
  const { stop } = theTurn(trace);
  if (!failures[stop]) return undefined;
  if (stop === "time_limit") return refused("TIMEOUT", "TURN_TIMEOUT", details);
  const fault = trace.faults.at(-1);
  const told = { ...details, code: fault?.code ?? "INTERNAL_ERROR", owner: fault?.owner ?? "ours" };
  const message = fault?.message ?? "The turn ended without an answer.";
  if (stop === "spend_limit") return new ApiError("RATE_LIMITED", message, told);
  if (fault?.code === "SERVICE_UNAVAILABLE") return new ApiError("UNAVAILABLE", message, told, retrySeconds);
  // What broke may have words of our insides; they are in the log.
  if (stop === "internal_error") return new ApiError("INTERNAL_ERROR", ownFaultMessage, told);
  return new ApiError("SERVER_UNREACHABLE", message, told);
}

/** A turn whose model never said anything leaves no trace in the conversation. */
const isWorthKeeping = ({ trace }: Played) => saidIn(trace).some(({ role }) => role !== "user");

/**
 * Writes the turn and what was said. Throws when the conversation is no longer what it was when the turn began.
 * Without an answer worth keeping only the turn's end is written.
 */
export async function keepTurn(
  app: App,
  claimed: Claimed,
  sending: Pick<Sending, "body" | "project" | "visitor">,
  played: Played,
  outcome: { turn: ChatTurn } | { failure: ApiError },
): Promise<void> {
  const { session, turnId } = claimed;
  const now = new Date(app.now());
  await app.db.transaction(async (tx) => {
    const held = await store.lockSession(tx, session.id);
    if (!held || held.version !== session.version || held.runningTurnId !== turnId) {
      throw refused("CONFLICT", "SESSION_VERSION_CONFLICT", { currentVersion: held?.version ?? null });
    }
    const isKept = "turn" in outcome || isWorthKeeping(played);
    const ended = { status: "turn" in outcome ? ("completed" as const) : ("failed" as const), endedAt: now };
    const turn = await store.updateTurn(tx, turnId, {
      ...ended,
      pending: [],
      told: null,
      ...(askedIn(played.trace) !== "" && {
        message: askedIn(played.trace),
      }),
      answer: "turn" in outcome ? withoutSpans(outcome.turn) : null,
      error: "failure" in outcome ? toStoredError(outcome.failure) : null,
      spans: toSpans(played.trace, held.turnCount, held.messageCount),
      wire: played.wire,
      ...(isKept && { promptIndex: held.turnCount, ...(await addMessages(tx, claimed, played)) }),
    });
    await store.updateSession(tx, session.id, {
      ...(isKept ? grown(held, sending, played) : {}),
      runningTurnId: null,
      runningUntil: null,
      lastActivityAt: now,
    });
    const tookMs = now.getTime() - (turn?.startedAt ?? now).getTime();
    await sending.visitor?.kept(tx, { calls: played.trace.toolCalls, tookMs });
    await announceInProject(app, tx, sending.project.id, "sessions");
  });
}

/** They are kept beside it. */
function withoutSpans(turn: ChatTurn): ChatTurn {
  return { ...turn, trace: { ...turn.trace, spans: [] } };
}

export function toStoredError(error: ApiError): StoredError {
  const { code, message, details, status } = error;
  return { code, message, status: status || errorStatus.INTERNAL_ERROR, details: details ?? {} };
}

async function addMessages(
  tx: Transaction,
  { session, turnId }: Claimed,
  { trace }: Played,
): Promise<{ messageStart: number; messageEnd: number }> {
  const said = saidIn(trace);
  const first = session.messageCount;
  await store.insertMessages(
    tx,
    said.map((message, place) => ({
      sessionId: session.id,
      index: first + place,
      turnId,
      message,
      words: wordsOf(message),
    })),
  );
  return { messageStart: first, messageEnd: first + said.length - 1 };
}

/** What is searched: no longer than a page. */
function wordsOf(message: Message): string {
  const text =
    message.role === "assistant"
      ? message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
      : message.text;
  return text.slice(0, chat.shownBytes);
}

function grown(
  held: store.SessionRow,
  { body }: Pick<Sending, "body">,
  { trace }: Played,
): Partial<store.SessionRow> {
  const said = saidIn(trace);
  const { usage } = theTurn(trace);
  const plus = (sum: number | null, more: number | undefined) =>
    sum === null && more === undefined ? null : (sum ?? 0) + (more ?? 0);
  const isFirst = held.turnCount === 0;
  const { title, firstMessage } = nameBy(askedIn(trace));
  const named = nameBy(body.message);
  return {
    version: held.version + 1,
    messageCount: held.messageCount + said.length,
    messageBytes: held.messageBytes + Buffer.byteLength(JSON.stringify(said)),
    turnCount: held.turnCount + 1,
    toolCallCount: held.toolCallCount + trace.toolCalls.length,
    inputTokens: plus(held.inputTokens, usage.input),
    outputTokens: plus(held.outputTokens, usage.output),
    // Named when it began, it is named again by what is kept of the message.
    ...(isFirst && ["", named.firstMessage].includes(held.firstMessage) && { firstMessage }),
    ...(isFirst && [null, named.title].includes(held.title) && { title }),
  };
}
