/** @module Reading conversations: whose they are, what was said, what each turn did. */

import { ApiError, type ChatTurnId, type Page, type UserId } from "@fettle/contract/core";
import type {
  ChatMessage,
  ChatSession,
  ChatSessionDetail,
  ChatSessionTrace,
  ChatToolCall,
  ChatTurnRecord,
  ChatTurnWire,
  TurnState,
} from "@fettle/contract/visitors";
import { type Message, traceVersion } from "@fettle/evals";
import type { App } from "../../core/app.ts";
import { missing } from "../../core/routing/not-found.ts";
import { cutPage, readPlace, writeCursor } from "../../core/routing/page.ts";
import { isLost, isUnderWay, lostTurn } from "./message-keys.ts";
import { toStoredError } from "./record.ts";
import * as store from "./store.ts";
import type { KeptTold } from "./told-so-far.ts";

export function toSession(app: App, row: store.SessionRow): ChatSession {
  const { id, title, status, projectId, visibility, origin, model, messageCount, isPinned } = row;
  return {
    id,
    title,
    status,
    projectId,
    visibility,
    origin,
    modelId: model,
    messageCount,
    lastActivityAt: row.lastActivityAt.getTime(),
    createdAt: row.createdAt.getTime(),
    isPinned,
    turnState: turnStateOf(app, row),
  };
}

/** What has become of a turn that has not ended. One that ended, however it did, is the conversation's no more. */
function turnStateOf(app: App, row: store.SessionRow): TurnState | null {
  const { runningTurnId, runningUntil, runningWaits } = row;
  if (runningTurnId === null || runningUntil === null) return null;
  if (runningUntil.getTime() <= app.now()) return "interrupted";
  return runningWaits ? "waiting" : "running";
}

/** A window of the transcript; positions are those of the whole. */
export async function readSession(
  app: App,
  row: store.SessionRow,
  viewer: UserId,
  { afterMessageIndex, limit }: { afterMessageIndex?: number | undefined; limit: number },
): Promise<ChatSessionDetail> {
  const settled = store.settledOf(row);
  const from = afterMessageIndex === undefined ? 0 : afterMessageIndex + 1;
  const found = await store.listMessages(app.db, row.id, { from, limit });
  // A transcript with a hole in it would be read as another conversation.
  const isWhole = found.every(({ index }, place) => index === from + place);
  const isReadable = isWhole && found.length >= Math.min(limit, row.messageCount - from);
  const messages = isReadable ? found : [];
  const next = from + messages.length;
  const state = turnStateOf(app, row);
  const isLost = state === "interrupted";
  const { title, status, visibility, origin, version, toolMode } = row;
  return {
    sessionId: row.id,
    projectId: row.projectId,
    title,
    status,
    visibility,
    ownedByViewer: row.createdBy === viewer,
    origin,
    modelId: row.model,
    version,
    startedAt: row.createdAt.getTime(),
    lastActivityAt: row.lastActivityAt.getTime(),
    toolMode,
    environmentId: settled.environmentId,
    servers: settled.target.servers.map(({ id, name }) => ({ id, name })),
    clientId: settled.clientId,
    systemPrompt: settled.systemPrompt,
    temperature: settled.temperature,
    runningTurnId: isLost ? null : row.runningTurnId,
    interruptedTurnId: isLost ? row.runningTurnId : null,
    messageCount: isReadable ? row.messageCount : null,
    ...(!isReadable && { transcriptUnavailable: true }),
    messages: messages.map(({ index, turnId, message }) => toMessage(index, turnId, message)),
    ...(isReadable && next < row.messageCount && { nextMessageIndex: next }),
  };
}

function toMessage(index: number, turnId: ChatTurnId, message: Message): ChatMessage {
  const { role } = message;
  if (role === "assistant") return { index, turnId, role, content: message.parts };
  if (role !== "tool") return { index, turnId, role, content: message.text };
  const { toolCallId, name, text, isError } = message;
  return { index, turnId, role, content: { toolCallId, name, text, isError } };
}

export interface TraceQuery {
  turnId?: ChatTurnId | undefined;
  afterPromptIndex?: number | undefined;
  limit: number;
  includeSpans: boolean;
}

/** The latest turn unless another is asked for. */
export async function readTrace(
  app: App,
  session: store.SessionRow,
  { turnId, afterPromptIndex, limit, includeSpans }: TraceQuery,
): Promise<ChatSessionTrace> {
  if (turnId !== undefined && afterPromptIndex !== undefined) {
    const message = "Ask for one turn, or for those after one.";
    throw new ApiError("VALIDATION_ERROR", message, { path: "query.turnId", code: "SELECTOR_CONFLICT" });
  }
  const { turnCount } = session;
  const turns = await findTurns(app, session, { turnId, afterPromptIndex, limit });
  if (turns.length === 0 && afterPromptIndex === undefined) {
    throw missing(
      "No such turn is recorded.",
      "Read the conversation: each of its messages names its turn.",
      { code: "TURN_NOT_FOUND" },
    );
  }
  return {
    sessionId: session.id,
    origin: session.origin,
    traceVersion,
    turnCount,
    ...(turnCount > 0 && { latestPromptIndex: turnCount - 1 }),
    turns: turns.map((turn) => toRecord(app, turn, includeSpans)),
  };
}

/** What was said between us and the servers in one turn; nothing, where it was not kept. */
export async function readWire(
  app: App,
  session: store.SessionRow,
  turnId: ChatTurnId,
): Promise<ChatTurnWire> {
  const turn = await store.findTurn(app.db, session.id, turnId);
  if (!turn)
    throw missing(
      "No such turn is recorded.",
      "Read the conversation: each of its messages names its turn.",
      { code: "TURN_NOT_FOUND" },
    );
  return { turnId, calls: turn.wire ?? [] };
}

async function findTurns(
  app: App,
  { id, turnCount }: store.SessionRow,
  { turnId, afterPromptIndex, limit }: Omit<TraceQuery, "includeSpans">,
): Promise<store.TurnRow[]> {
  if (turnId !== undefined) {
    const turn = await store.findTurn(app.db, id, turnId);
    return turn ? [turn] : [];
  }
  const after = afterPromptIndex ?? turnCount - 1 - limit;
  return store.listTurns(app.db, id, { after, limit });
}

/** Those that nobody has decided upon. */
export function pendingCallsOf(
  turn: Pick<store.TurnRow, "pending" | "decisions">,
): NonNullable<ChatTurnRecord["pendingCalls"]> {
  return turn.pending.filter(({ toolCallId }) => turn.decisions[toolCallId] === undefined);
}

function toRecord(app: App, turn: store.TurnRow, includeSpans: boolean): ChatTurnRecord {
  const isRunning = isUnderWay(app, turn);
  const wasLost = isLost(app, turn);
  const { answer, spans } = turn;
  const error = wasLost ? toStoredError(lostTurn(turn, { sessionId: turn.sessionId })) : turn.error;
  const pending = pendingCallsOf(turn);
  // Filled by the turn itself.
  const soFar = isRunning || wasLost ? (turn.told as KeptTold | null) : null;
  const { id, promptIndex, messageStart, messageEnd } = turn;
  return {
    turnId: id,
    promptIndex: promptIndex ?? -1,
    status: wasLost ? "failed" : turn.status,
    ...(error && { error: { code: String(error.details.code ?? error.code), message: error.message } }),
    startedAt: turn.startedAt.getTime(),
    endedAt: (wasLost ? turn.leaseUntil : turn.endedAt)?.getTime() ?? null,
    ...(answer && {
      finishReason: answer.finishReason,
      modelId: answer.model.id,
      usage: answer.usage,
      toolCalls: answer.toolCalls satisfies ChatToolCall[],
    }),
    ...(messageStart !== null && { messageStartIndex: messageStart }),
    ...(messageEnd !== null && { messageEndIndex: messageEnd }),
    ...((isRunning || wasLost) && turn.message !== null && { message: turn.message }),
    ...(isRunning && pending.length > 0 && { pendingCalls: pending }),
    ...(soFar && { told: soFar.told }),
    ...(soFar?.truncated && { toldTruncated: true }),
    spanCount: spans?.length ?? 0,
    ...(includeSpans && (spans === null ? { spansUnavailable: true as const } : { spans })),
  };
}

/** One's own conversations, the latest first. */
export async function listSessions(
  app: App,
  filter: Omit<store.SessionFilter, "limit" | "before">,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<Page<ChatSession>> {
  const place = readPlace<"chatSession">(before, "query.before");
  const rows = await store.listSessions(app.db, { ...filter, before: place, limit: limit + 1 });
  const { shown, next } = cutPage(rows, limit, (last) => writeCursor(last.lastActivityAt, last.id));
  return {
    items: shown.map((row) => toSession(app, row)),
    ...next,
  };
}
