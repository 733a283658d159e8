/** @module The turns of open conversations, read from their end backwards, and the one that is under way. Lives beside the pages: a turn goes on when one looks elsewhere. */
import { ApiError } from "@fettle/contract/core";
import type { ChatTurn, ChatTurnRecord } from "@fettle/contract/visitors";
import type { AttendedMessage, ToldEvent } from "../../api/chat-stream.ts";
import { failureOf } from "../../api/failure.ts";
import { refresh } from "../../api/operation.ts";
import { StreamBroken } from "../../api/told-stream.ts";
import { emptyTurn, type ShownTurn, withTold } from "../../kit/chat/turns.ts";
import { createStore, type Store } from "../../lib/store.ts";
import { decideCall, readTurn, readTurns, sendTurn, stopTurn, turnsAtOnce } from "./queries.ts";
import { cutOff, withPending } from "./turns.ts";

export interface LiveTurn {
  shown: ShownTurn;
  /** What was sent; undefined when another page did. */
  body?: AttendedMessage;
  sessionId?: string;
  failure: ApiError | null;
  /** Its stream tells of it, until what was kept has taken its place. Otherwise it has to be asked about. */
  isHeard: boolean;
  /** Which of the messages that were sent it is. */
  attempt?: symbol;
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

/** Reads what is not known yet at the end of the conversation. In its first version nothing is kept. */
export async function loadNewer(sessionId: string, version?: number): Promise<void> {
  const store = conversationOf(sessionId);
  if (version === 0) return patch(store, { turns: store.get().turns ?? [] });
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
  const attempt = Symbol(body.idempotencyKey);
  const { sessionId } = body;
  const live = { shown: emptyTurn(body.message), body, failure: null, isHeard: true, attempt };
  patch(store, { live: { ...live, ...(sessionId && { sessionId }) } });
  /** Ours, unless another message was sent meanwhile. */
  const ours = () => {
    const { live: now } = store.get();
    return now?.attempt === attempt ? now : undefined;
  };
  const update = (change: Partial<LiveTurn>) => {
    const now = ours();
    if (now) patch(store, { live: { ...now, ...change } });
  };
  const settle = (kept: string) => {
    const now = ours();
    if (!now || store === conversationOf(kept)) return;
    patch(store, { live: null });
    store = conversationOf(kept);
    patch(store, { live: now, turns: [] });
    onSession?.(kept);
  };
  let turn: ChatTurn | undefined;
  const hear = (told: ToldEvent) => {
    const now = ours();
    if (!now) return;
    const shown = withTold(now.shown, told);
    if (told.event === "done") turn = told.data as ChatTurn;
    if (told.event === "began") update({ shown, sessionId: String(told.data.sessionId) });
    else if (told.event === "failed") update({ shown, failure: failureTold(told.data) });
    // It is under way until what was kept is here to take its place.
    else update({ shown: { ...shown, isRunning: true } });
    const kept = turn?.sessionId ?? (told.event === "step" ? now.sessionId : undefined);
    if (kept) settle(kept);
  };
  try {
    await sendTurn(body, hear);
    if (!turn && !ours()?.failure) throw new StreamBroken();
    if (turn) await keep(turn);
  } catch (error) {
    const now = ours();
    if (error instanceof StreamBroken && now?.sessionId && now.shown.turnId) {
      settle(now.sessionId);
      return update({ isHeard: false });
    }
    update({ failure: failureOf(error) });
  }
  const now = ours();
  if (now) update({ isHeard: false, shown: { ...now.shown, isRunning: false } });
  await refresh({ place: "project", id: projectId, part: "sessions" });

  async function keep({ sessionId: kept, persisted: { outcome } }: ChatTurn): Promise<void> {
    if (!kept || (outcome !== "saved" && outcome !== "duplicate")) return update({ isUnsaved: true });
    await loadNewer(kept);
    if (ours() && !store.get().failure) patch(store, { live: null });
  }
}

function failureTold(data: ToldEvent["data"]): ApiError {
  const { code, message, details, status } = data as Pick<
    ApiError,
    "code" | "message" | "details" | "status"
  >;
  return new ApiError(code, message, details, { status });
}

/** What is known of a turn that was sent elsewhere, or whose stream broke. */
export async function follow(sessionId: string, turnId: string, record?: ChatTurnRecord): Promise<void> {
  const store = conversationOf(sessionId);
  const isSuperseded = () => store.get().live?.isHeard === true;
  const { live: open, turns = [] } = store.get();
  // A page that is behind still asks about a turn that is in the transcript by now; what is open here is a younger message.
  const isKept = open?.shown.turnId !== turnId && turns.some((turn) => turn.turnId === turnId);
  if (isSuperseded() || isKept) return;
  const live = store.get().live ?? {
    shown: { ...emptyTurn(null), turnId },
    sessionId,
    failure: null,
    isHeard: false,
  };
  if (record?.status === "running") {
    return patch(store, { live: { ...live, shown: withPending(live.shown, record) } });
  }
  await loadNewer(sessionId);
  if (isSuperseded()) return;
  if (record?.status === "completed") return patch(store, { live: null });
  const { code, message } = record?.error ?? {
    code: "TURN_STOPPED",
    message: "The turn ended before a model was asked. Nothing was paid.",
  };
  // A turn that failed is kept in the transcript when there is something in it to read. Ids tell the younger: after one the conversation has gone on.
  const isPast = store.get().turns?.some((turn) => turn.turnId !== null && turn.turnId >= turnId);
  if (isPast) return patch(store, { live: null });
  const told = record ? cutOff(withPending(live.shown, record)) : live.shown;
  const shown = { ...told, isRunning: false, error: { code, message } };
  const failure = new ApiError("INTERNAL_ERROR", message, { code, ...(record && { turnId }) });
  patch(store, { live: { ...live, shown, failure } });
}

export async function stopLive(key: string): Promise<void> {
  const { live } = conversationOf(key).get();
  if (live?.sessionId && live.shown.turnId) await stopTurn(live.sessionId, live.shown.turnId);
}

export async function decide(key: string, toolCallId: string, allow: boolean): Promise<void> {
  const store = conversationOf(key);
  const { live } = store.get();
  const { sessionId, shown } = live ?? {};
  if (!sessionId || !shown?.turnId) return;
  const { isRunning } = await decideCall(sessionId, shown.turnId, toolCallId, allow);
  // Nobody is there to hear it: what has become of the turn is said instead.
  if (!isRunning) return follow(sessionId, shown.turnId, await readTurn(sessionId, shown.turnId));
  const now = store.get().live;
  if (now)
    patchLive(store, { shown: withTold(now.shown, { event: "decided", data: { toolCallId, allow } }) });
}

export function forgetLive(key: string): void {
  patch(conversationOf(key), { live: null });
}
