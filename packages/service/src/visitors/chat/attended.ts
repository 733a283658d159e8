/** @module A turn in front of a person: told as it comes, asked about before a call, stopped. It goes on when nobody listens any more. */

import { setTimeout as delay } from "node:timers/promises";
import { ApiError, type ChatSessionId, type ChatTurnId, limits } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import type { AttendedTurnRequest, ChatToolCall, ChatTurn } from "@fettle/contract/visitors";
import type { AgentEvent, ApprovalRequest } from "@fettle/evals";
import { sql } from "drizzle-orm";
import type { App } from "../../core/app.ts";
import { outageOf, unavailable } from "../../core/db/outage.ts";
import { asJsonb } from "../../core/db/storable.ts";
import type { SignedInCaller } from "../../core/routing/bind.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { chatTurns, type StoredError } from "../../core/tables/chat.ts";
import { tellingNothing } from "../../models/own-faults.ts";
import type { Sending } from "./claim.ts";
import { isUnderWay } from "./message-keys.ts";
import { placeOf } from "./place.ts";
import { toStoredError, toToolCall } from "./record.ts";
import { createSlot, lookMs } from "./slot.ts";
import * as store from "./store.ts";
import { createToldSoFar, type ToldSoFar } from "./told-so-far.ts";
import { playTurn } from "./turn.ts";

const { chat } = limits;

/** What a listening page is told, one line each. */
export type Told =
  | { event: "began"; data: { sessionId: ChatSessionId; turnId: ChatTurnId } }
  | { event: "step"; data: { step: number } }
  | { event: "text" | "reasoning"; data: { step: number; text: string } }
  | { event: "tool-start" | "tool-end"; data: ChatToolCall }
  | {
      event: "ask";
      data: { toolCallId: string; serverName: string; toolName: string; input: Record<string, unknown> };
    }
  | { event: "decided"; data: { toolCallId: string; allow: boolean } }
  | { event: "done"; data: ChatTurn }
  | { event: "failed"; data: StoredError };

/** So often, at most, what was told is kept for a page that is loaded anew. */
const keepMs = 1_000;

/** A person's own message. */
export async function startAttended(
  app: App,
  caller: SignedInCaller,
  body: AttendedTurnRequest,
  stopping: AbortSignal,
): Promise<AsyncIterable<Told>> {
  const { askBeforeCalls, ...message } = body;
  const place = await placeOf(app, caller, message);
  const asks = askBeforeCalls || place.settled.asksBeforeCalls;
  const sending = { userId: caller.userId, origin: "playground", turnMs: chat.attendedTurnMs } as const;
  return attend(app, { ...place, ...sending, body: message }, { asks: () => asks, stopping });
}

export interface Attending {
  /** Whether a person is asked before this call. */
  asks(request: ApprovalRequest): boolean;
  /** The service stops. */
  stopping: AbortSignal;
}

/** Refuses before the first word; after it, whatever goes wrong is the last thing told. */
export async function attend(
  app: App,
  sending: Sending,
  { asks, stopping }: Attending,
): Promise<AsyncIterable<Told>> {
  const soFar = createToldSoFar();
  const told = createQueue((one) => soFar.add(one));
  const stop = new AbortController();
  const ended = new AbortController();
  let turnId: ChatTurnId | undefined;
  const slot = createSlot(app, sending, () => must(turnId, "the turn that has begun"));
  const began = Promise.withResolvers<void>();
  const turn = playTurn(app, sending, {
    stop: AbortSignal.any([stop.signal, stopping]),
    began: (claimed) => {
      turnId = claimed.turnId;
      told.push({ event: "began", data: { sessionId: claimed.session.id, turnId } });
      began.resolve();
      void accompany(app, claimed.turnId, soFar, stop, ended.signal);
    },
    heard: (event) => {
      if (event.kind === "tool-end") slot.ended(event.call.toolCallId);
      tellEvent(told, event, sending.settled.target.servers);
    },
    approve: async (request, signal) => {
      const { toolCallId, server, toolName, arguments: input } = request;
      if (!asks(request)) return slot.works(toolCallId);
      told.push({ event: "ask", data: { toolCallId, serverName: server, toolName, input } });
      const ask = () => decisionOn(app, must(turnId, "the turn that has begun"), request, signal);
      const isAllowed = await tellingNothing(app, () => slot.waits(toolCallId, ask, signal));
      told.push({ event: "decided", data: { toolCallId, allow: isAllowed } });
      return isAllowed;
    },
  });
  turn
    .then(
      (done) => told.push({ event: "done", data: done }),
      (error: unknown) => {
        if (!(error instanceof ApiError)) app.log.error("a turn failed", { error, turnId });
        const known = error instanceof ApiError ? error : asApiError(error);
        told.push({ event: "failed", data: toStoredError(known) });
      },
    )
    .finally(() => {
      ended.abort();
      told.end();
    });
  // What is refused at once is an ordinary refusal; a replay has no beginning.
  await Promise.race([began.promise, turn]);
  return told;
}

function asApiError(error: unknown): ApiError {
  const outage = outageOf(error);
  return outage ? unavailable(outage) : new ApiError("INTERNAL_ERROR", "The turn failed.");
}

function tellEvent(told: Queue, event: AgentEvent, servers: readonly { id: string; name: string }[]): void {
  if (event.kind === "text" || event.kind === "reasoning") {
    told.push({ event: event.kind, data: { step: event.step, text: event.text } });
  } else if (event.kind === "tool-start" || event.kind === "tool-end") {
    told.push({ event: event.kind, data: toToolCall(event.call, servers) });
  } else if (event.kind === "step-start") told.push({ event: "step", data: { step: event.step } });
}

/** The call waits, and whoever opens the conversation sees that it does. */
async function decisionOn(
  app: App,
  turnId: ChatTurnId,
  { toolCallId, server, toolName, arguments: input }: ApprovalRequest,
  signal: AbortSignal,
): Promise<boolean> {
  const asked = asJsonb([{ toolCallId, serverName: server, toolName, input }]);
  // One statement: several calls of a step ask at the same time.
  const pending = sql`(${chatTurns.pending}::jsonb || ${asked})::json`;
  await store.setPending(app.db, turnId, pending);
  for (;;) {
    const decisions = await store.readDecisions(app.db, turnId);
    const decided = decisions?.[toolCallId];
    if (decided !== undefined) return decided;
    await delay(lookMs, undefined, { signal });
  }
}

/** Keeps what was told, and looks whether somebody wants it stopped. */
async function accompany(
  app: App,
  turnId: ChatTurnId,
  soFar: ToldSoFar,
  stop: AbortController,
  ended: AbortSignal,
): Promise<void> {
  let kept = { version: 0, at: Number.NEGATIVE_INFINITY };
  const look = async () => {
    const now = { version: soFar.version, at: performance.now() };
    if (now.version === kept.version || now.at - kept.at < keepMs) return store.isStopAsked(app.db, turnId);
    const isAsked = await store.keepTold(app.db, turnId, soFar.read());
    kept = now;
    return isAsked;
  };
  while (!ended.aborted) {
    await delay(lookMs, undefined, { signal: ended }).catch(() => undefined);
    if (ended.aborted) return;
    // The database may be away for a moment; the turn goes on.
    if (await look().catch(() => false)) return stop.abort();
  }
}

interface RunningTurn {
  turnId: string;
  isRunning: boolean;
}

export async function stopTurn(app: App, sessionId: ChatSessionId, id: ChatTurnId): Promise<RunningTurn> {
  return change(app, sessionId, id, { stopAsked: true });
}

/** A second word on the same call changes nothing: it may have been made. */
export async function decideCall(
  app: App,
  sessionId: ChatSessionId,
  id: ChatTurnId,
  { toolCallId, allow }: { toolCallId: string; allow: boolean },
): Promise<RunningTurn> {
  const said = asJsonb({ [toolCallId]: allow });
  return change(app, sessionId, id, { decisions: sql`${said} || ${chatTurns.decisions}` });
}

async function change(
  app: App,
  sessionId: ChatSessionId,
  id: ChatTurnId,
  values: Parameters<typeof store.updateTurn>[2],
): Promise<RunningTurn> {
  const row = await store.findTurn(app.db, sessionId, id);
  if (!row) throw notFound("chatTurn");
  if (!isUnderWay(app, row)) return { turnId: id, isRunning: false };
  await store.updateTurn(app.db, id, values);
  return { turnId: id, isRunning: true };
}

interface Queue extends AsyncIterable<Told> {
  push(told: Told): void;
  end(): void;
}

/** Nobody has to listen: what is not fetched waits, and is forgotten with the request. */
function createQueue(pushed: (told: Told) => void): Queue {
  const waiting: Told[] = [];
  let isOver = false;
  let wake = Promise.withResolvers<void>();
  const ring = () => {
    wake.resolve();
    wake = Promise.withResolvers();
  };
  return {
    push: (told) => {
      pushed(told);
      waiting.push(told);
      ring();
    },
    end: () => {
      isOver = true;
      ring();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const next = waiting.shift();
        if (next) yield next;
        else if (isOver) return;
        else await wake.promise;
      }
    },
  };
}
