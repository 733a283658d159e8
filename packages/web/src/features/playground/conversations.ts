/** @module The turns of open conversations, read from their end backwards, and the one that is under way. Lives beside the pages: a turn goes on when one looks elsewhere. */
import { ApiError, type ChatTurn, type ChatTurnRecord } from "@fettle/contract";
import { type AttendedMessage, StreamBroken, streamTurn, type ToldEvent } from "../../api/chat-stream.ts";
import { failureOf } from "../../api/failure.ts";
import { refresh } from "../../api/operation.ts";
import { createStore, type Store } from "../../lib/store.ts";
import { decideCall, readTurns, stopTurn, turnsAtOnce } from "./queries.ts";
import { emptyTurn, type ShownTurn, withPending, withTold } from "./turns.ts";

export interface LiveTurn {
  shown: ShownTurn;
  /** What was sent; undefined when another page did. */
  body?: AttendedMessage;
  sessionId?: string;
  failure: ApiError | null;
  /** Nobody tells of it any more; it has to be asked about. */
  isFollowed: boolean;
  startedAt: number;
  /** It ran, but the service could not keep it. */
  isUnsaved?: true;
}

export interface Conversation {
  /** Undefined until they are read. */
  turns: readonly ShownTurn[] | undefined;
  hasEarlier: boolean;
  failure: ApiError | null;
  live: LiveTurn | null;
}

const none: Conversation = { turns: undefined, hasEarlier: false, failure: null, live: null };
const conversations = new Map<string, Store<Conversation>>();

/** By its id; what is not sent yet has the key of its project. */
export function conversationOf(key: string): Store<Conversation> {
  const known = conversations.get(key) ?? createStore(none);
  conversations.set(key, known);
  return known;
}

export const beginningOf = (projectId: string) => `new ${projectId}`;

const patch = (store: Store<Conversation>, change: Partial<Conversation>) =>
  store.set({ ...store.get(), ...change });

function patchLive(store: Store<Conversation>, change: Partial<LiveTurn>): void {
  const { live } = store.get();
  if (live) patch(store, { live: { ...live, ...change } });
}

/** Reads what is not known yet at the end of the conversation. */
export async function loadNewer(sessionId: string): Promise<void> {
  const store = conversationOf(sessionId);
  try {
    for (;;) {
      const known = store.get().turns;
      const last = known?.at(-1)?.promptIndex ?? undefined;
      const read = await readTurns(sessionId, known === undefined ? undefined : (last ?? -1));
      const seen = new Set(store.get().turns?.map(({ turnId }) => turnId));
      const turns = [...(store.get().turns ?? []), ...read.filter(({ turnId }) => !seen.has(turnId))];
      const hasEarlier = known === undefined ? (read[0]?.promptIndex ?? 0) > 0 : store.get().hasEarlier;
      patch(store, { turns, hasEarlier, failure: null });
      if (known === undefined || read.length < turnsAtOnce) return;
    }
  } catch (error) {
    patch(store, { failure: failureOf(error) });
  }
}

export async function loadEarlier(sessionId: string): Promise<void> {
  const store = conversationOf(sessionId);
  const first = store.get().turns?.[0]?.promptIndex ?? 0;
  try {
    const read = await readTurns(sessionId, Math.max(-1, first - 1 - turnsAtOnce));
    const earlier = read.filter(({ promptIndex }) => (promptIndex ?? first) < first);
    const turns = [...earlier, ...(store.get().turns ?? [])];
    patch(store, { turns, hasEarlier: (turns[0]?.promptIndex ?? 0) > 0, failure: null });
  } catch (error) {
    patch(store, { failure: failureOf(error) });
  }
}

/**
 * Sends a message, again with the same key if `body` is the same. `onSession` is told where a conversation that begins is kept,
 * once a model is asked: what fails before leaves none.
 */
export async function sendMessage(
  key: string,
  projectId: string,
  body: AttendedMessage,
  onSession?: (sessionId: string) => void,
): Promise<void> {
  let store = conversationOf(key);
  const live: LiveTurn = {
    shown: emptyTurn(body.message),
    body,
    ...(body.sessionId && { sessionId: body.sessionId }),
    failure: null,
    isFollowed: false,
    startedAt: Date.now(),
  };
  patch(store, { live });
  const settle = (sessionId: string) => {
    if (sessionId === key || store === conversationOf(sessionId)) return;
    const moved = conversationOf(sessionId);
    patch(moved, { live: store.get().live, turns: [] });
    patch(store, { live: null });
    store = moved;
    onSession?.(sessionId);
  };
  const hear = (told: ToldEvent) => {
    const { live: now } = store.get();
    if (!now) return;
    const began = told.event === "began" ? { sessionId: String(told.data.sessionId) } : {};
    patchLive(store, { shown: withTold(now.shown, told), ...began });
    if (told.event === "step" && now.sessionId) settle(now.sessionId);
    if (told.event === "failed") patchLive(store, { failure: failureTold(told.data) });
    if (told.event === "done") ended(told.data as ChatTurn);
  };
  let turn: ChatTurn | undefined;
  const ended = (done: ChatTurn) => {
    turn = done;
    if (done.sessionId) settle(done.sessionId);
  };
  try {
    await streamTurn(body, hear);
    if (!turn && !store.get().live?.failure) throw new StreamBroken();
  } catch (error) {
    const { live: now } = store.get();
    if (error instanceof StreamBroken && now?.sessionId && now.shown.turnId) {
      settle(now.sessionId);
      return patchLive(store, { isFollowed: true });
    }
    patchLive(store, { failure: failureOf(error) });
  }
  patchLive(store, { shown: { ...store.get().live!.shown, isRunning: false } });
  await refresh({ place: "project", id: projectId, part: "sessions" });
  if (turn) await keep(store, turn);
}

/** The kept turn takes the place of the one that was told. */
async function keep(store: Store<Conversation>, { sessionId, persisted }: ChatTurn): Promise<void> {
  const isKept = persisted.outcome === "saved" || persisted.outcome === "duplicate";
  if (!sessionId || !isKept) return patchLive(store, { isUnsaved: true });
  await loadNewer(sessionId);
  if (!store.get().failure) patch(store, { live: null });
}

function failureTold(data: ToldEvent["data"]): ApiError {
  const { code, message, details, status } = data as unknown as ApiError;
  return new ApiError(code, message, details, { status });
}

/** What is known of a turn that was sent elsewhere, or whose stream broke. */
export async function follow(sessionId: string, turnId: string, record?: ChatTurnRecord): Promise<void> {
  const store = conversationOf(sessionId);
  const live = store.get().live ?? {
    shown: { ...emptyTurn(null), turnId },
    sessionId,
    failure: null,
    isFollowed: true,
    startedAt: record?.startedAt ?? Date.now(),
  };
  if (record?.status === "running") {
    return patch(store, { live: { ...live, isFollowed: true, shown: withPending(live.shown, record) } });
  }
  await loadNewer(sessionId);
  if (record?.status === "completed") return patch(store, { live: null });
  const { code, message } = record?.error ?? {
    code: "TURN_STOPPED",
    message: "The turn ended before a model was asked. Nothing was paid.",
  };
  // A turn that failed is kept in the transcript when there is something in it to read.
  if (store.get().turns?.some((turn) => turn.turnId === turnId)) return patch(store, { live: null });
  const shown = { ...live.shown, isRunning: false, error: { code, message } };
  const failure = new ApiError("INTERNAL_ERROR", message, { code, ...(record && { turnId }) });
  patch(store, { live: { ...live, shown, failure, isFollowed: false } });
}

export async function stopLive(key: string): Promise<void> {
  const { live } = conversationOf(key).get();
  if (live?.sessionId && live.shown.turnId) await stopTurn(live.sessionId, live.shown.turnId);
}

export async function decide(key: string, toolCallId: string, allow: boolean): Promise<void> {
  const store = conversationOf(key);
  const { live } = store.get();
  if (!live?.sessionId || !live.shown.turnId) return;
  await decideCall(live.sessionId, live.shown.turnId, toolCallId, allow);
  const now = store.get().live;
  if (now)
    patchLive(store, { shown: withTold(now.shown, { event: "decided", data: { toolCallId, allow } }) });
}

export function forgetLive(key: string): void {
  patch(conversationOf(key), { live: null });
}
