/** @module Reading and changing conversations. What a page keeps of one carries its project, so that it hears of changes. */
import { chatLimits } from "@fettle/contract/core";
import type {
  ChatMessage,
  ChatSessionPromoted,
  ChatSessionUpdateRequest,
  ChatTurnRecord,
} from "@fettle/contract/visitors";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { type AttendedMessage, streamTurn, type ToldEvent } from "../../api/chat-stream.ts";
import { failureOf } from "../../api/failure.ts";
import { call, type InputOf, refresh } from "../../api/operation.ts";
import type { ShownTurn } from "../../kit/chat/turns.ts";
import { keptTurns } from "./turns.ts";

export interface SessionAddress {
  projectId: string;
  sessionId: string;
}

type TurnId = NonNullable<NonNullable<InputOf<"getChatSessionTrace">["query"]>["turnId"]>;
type OfProject = NonNullable<NonNullable<InputOf<"getChatSession">["query"]>["projectId"]>;
// Both are ids out of an address; the service says if they are none.
const turn = (id: string) => id as TurnId;
const within = (projectId: string) => projectId as OfProject;

/** All but what was said. */
export const sessionQuery = ({ projectId, sessionId }: SessionAddress) =>
  queryOptions({
    queryKey: ["getChatSession", { projectId, sessionId }],
    queryFn: ({ signal }) =>
      call("getChatSession", { sessionId, query: { projectId: within(projectId), limit: 1 } }, { signal }),
  });

/** One's own, for which of them are pinned. */
export const ownSessionsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["listChatSessions", { projectId }],
    queryFn: ({ signal }) => {
      const query = { projectId: within(projectId), limit: chatLimits.listed.max };
      return call("listChatSessions", { query }, { signal });
    },
  });

export interface SessionFilter {
  words: string;
  scope: "titles" | "transcripts";
  status: "active" | "archived";
}

/** Those of people with a model, one's own and what others share; the latest first, or the best match. */
export const sessionsQuery = (projectId: string, { words, scope, status }: SessionFilter) =>
  infiniteQueryOptions({
    queryKey: ["listSessions", { projectId, query: { words, scope, status } }],
    queryFn: ({ signal, pageParam }) => {
      const query = {
        sourceType: "direct" as const,
        status,
        ...(words && { q: words, scope }),
        ...(pageParam && { cursor: pageParam }),
      };
      return call("listSessions", { projectId, query }, { signal });
    },
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** How many turns are read at once. */
export const turnsAtOnce = chatLimits.tracedTurns.max;

/** Kept turns after one of them, or the latest, in their order. */
export async function readTurns(sessionId: string, after?: number): Promise<ShownTurn[]> {
  const records = await readRecords(sessionId, after);
  const messages = await readMessages(sessionId, records);
  return keptTurns(records, messages);
}

async function readRecords(sessionId: string, after?: number): Promise<ChatTurnRecord[]> {
  const query = {
    limit: turnsAtOnce,
    includeSpans: "false",
    ...(after !== undefined && { afterPromptIndex: after }),
  };
  return (await call("getChatSessionTrace", { sessionId, query })).turns;
}

async function readMessages(sessionId: string, records: readonly ChatTurnRecord[]): Promise<ChatMessage[]> {
  const first = records[0]?.messageStartIndex;
  const last = records.at(-1)?.messageEndIndex;
  if (first === undefined || last === undefined) return [];
  const messages: ChatMessage[] = [];
  for (let from = first; from <= last; ) {
    const query = {
      limit: Math.min(chatLimits.listed.max, last - from + 1),
      ...(from > 0 && { afterMessageIndex: from - 1 }),
    };
    const page = await call("getChatSession", { sessionId, query });
    if (page.messages.length === 0) break;
    messages.push(...page.messages);
    from += page.messages.length;
  }
  return messages;
}

/** A turn under way, or how it ended; undefined: it is as if it had never been sent. */
export async function readTurn(
  sessionId: string,
  turnId: string,
  signal?: AbortSignal,
): Promise<ChatTurnRecord | undefined> {
  const query = { turnId: turn(turnId), includeSpans: "false" };
  try {
    return (await call("getChatSessionTrace", { sessionId, query }, signal && { signal })).turns[0];
  } catch (error) {
    if (failureOf(error).code === "NOT_FOUND") return undefined;
    throw error;
  }
}

export interface TurnAddress {
  sessionId: string;
  turnId: string;
}

/** A turn that was kept never changes. */
export const wireQuery = (address: TurnAddress) =>
  queryOptions({
    queryKey: ["getChatTurnWire", address],
    queryFn: ({ signal }) => call("getChatTurnWire", { ...address }, { signal }),
    staleTime: "static",
  });

export const sendTurn = (body: AttendedMessage, onTold: (told: ToldEvent) => void) =>
  streamTurn("/app/chat-sessions/messages/stream", body, onTold);

export const stopTurn = (sessionId: string, turnId: string) => call("stopChatTurn", { sessionId, turnId });

export const decideCall = (sessionId: string, turnId: string, toolCallId: string, allow: boolean) =>
  call("decideChatCall", { sessionId, turnId, body: { toolCallId, allow } });

/** What was said before one of the turns, as a conversation of its own. */
export async function branchBefore(
  { projectId, sessionId }: SessionAddress,
  turnId: string,
): Promise<string> {
  const { id } = await call("branchChatSession", { sessionId, body: { beforeTurnId: turn(turnId) } });
  await refresh({ place: "project", id: projectId, part: "sessions" });
  return id;
}

export async function updateSession(
  { projectId, sessionId }: SessionAddress,
  body: ChatSessionUpdateRequest,
): Promise<void> {
  await call("updateChatSession", { sessionId, body });
  await refresh({ place: "project", id: projectId, part: "sessions" });
}

export async function deleteSession({ projectId, sessionId }: SessionAddress): Promise<void> {
  await call("deleteChatSession", { sessionId });
  await refresh({ place: "project", id: projectId, part: "sessions" });
}

/** In a suite that is there, or in a new one that runs as the conversation was held. */
export async function makeCase(
  { projectId, sessionId }: SessionAddress,
  { suiteId, suiteName, title }: { suiteId: string; suiteName: string; title: string },
  attempt: string,
): Promise<ChatSessionPromoted> {
  const body = { title, ...(suiteId === "" ? { suiteName } : { suiteId }) };
  // Another suite or title after a refusal is another case.
  const idempotencyKey = `${attempt} ${JSON.stringify(body)}`
    .replace(/[^\x20-\x7e]/g, "?")
    .slice(0, chatLimits.keyLength);
  const made = await call("promoteChatSession", { sessionId, body }, { idempotencyKey });
  await refresh({ place: "project", id: projectId, part: "eval-suites" });
  return made;
}
