/** @module One's own conversation in the page: what is kept of it, what is under way, and sending one message after the other. */
import { freshKey } from "@fettle/contract/client";
import { ApiError } from "@fettle/contract/core";
import type { SessionEnd, VisitSession } from "@fettle/contract/visitors";
import { useEffect, useMemo, useRef, useState } from "react";
import type { ToldEvent } from "../../api/chat-stream.ts";
import { failureOf } from "../../api/failure.ts";
import { StreamBroken } from "../../api/told-stream.ts";
import { emptyTurn, type ShownTurn, withTold } from "../../kit/chat/turns.ts";
import { decide, readVisit, type SessionAddress, send, stop } from "./queries.ts";
import { runningTurn, visitTurns } from "./visit-turns.ts";

/** How often a turn is asked about that nobody tells of. */
const askMs = 1_000;

interface Live {
  shown: ShownTurn;
  body: { message: string; idempotencyKey: string };
  failure: ApiError | null;
  /** Messages of others that are answered before this one; null: it is being answered. */
  ahead: number | null;
}

export interface OwnChat {
  session: VisitSession;
  turns: readonly ShownTurn[];
  /** An answer that was under way when the page was opened. */
  resumed: ShownTurn | null;
  /** What was sent last, where the service ended before it was answered. */
  cutOff: ShownTurn | null;
  live: Live | null;
  isRunning: boolean;
  send: (message: string) => void;
  /** With the same key: what was answered after all is not answered twice. */
  sendAgain: () => void;
  forget: () => void;
  stop: () => Promise<void>;
  decide: (toolCallId: string, allow: boolean) => Promise<void>;
  /** What the service has now takes the place of what is shown. */
  look: () => Promise<void>;
  /** Another tab may have said something; not while this one is being answered. */
  lookAgain: () => void;
}

export function useOwnChat(
  scenarioId: string,
  began: VisitSession,
  onEnded: (reason: SessionEnd) => void,
): OwnChat {
  const [session, setSession] = useState(began);
  const [live, setLive] = useState<Live | null>(null);
  const ended = useRef(onEnded);
  ended.current = onEnded;
  const address: SessionAddress = useMemo(
    () => ({ scenarioId, sessionId: began.sessionId }),
    [scenarioId, began.sessionId],
  );
  const turns = useMemo(() => visitTurns(session.messages), [session]);

  const look = async () => {
    const { session: now } = await readVisit(scenarioId);
    if (!now || now.sessionId !== address.sessionId) return ended.current("visitor");
    setSession(now);
    if (now.ended !== null) ended.current(now.ended);
  };

  const waiting = useRef<AbortController | null>(null);

  const deliver = async (body: Live["body"]) => {
    setLive({ shown: emptyTurn(body.message), body, failure: null, ahead: null });
    let failed: ApiError | null = null;
    let isOver = false;
    let isInLine = false;
    const leaving = new AbortController();
    const hear = (told: ToldEvent) => {
      isInLine = told.event === "waiting";
      waiting.current = isInLine ? leaving : null;
      if (isInLine) return setLive((now) => now && { ...now, ahead: Number(told.data.ahead) });
      if (told.event === "ended") {
        isOver = true;
        return ended.current(told.data.reason as SessionEnd);
      }
      if (told.event === "failed") failed = toldFailure(told);
      setLive(
        (now) => now && { ...now, ahead: null, shown: { ...withTold(now.shown, told), isRunning: true } },
      );
    };
    try {
      await send(address, body, hear, leaving.signal);
    } catch (error) {
      // The answer goes on without us; it is asked about from here on. Nobody else stands in line for us.
      if (isInLine || !(error instanceof StreamBroken)) failed = failureOf(error);
    }
    waiting.current = null;
    if (isOver) return;
    if (leaving.signal.aborted) return setLive(null);
    const reason = (failed as ApiError | null)?.details?.code;
    if (reason === "SESSION_OVER" || reason === "ACCESS_ENDED" || reason === "VISIT_NEEDED") {
      return ended.current(reason === "SESSION_OVER" ? "idle" : "access");
    }
    if (failed) return setLive((now) => now && { ...now, failure: failed, shown: stopped(now.shown) });
    await look().then(
      () => setLive(null),
      (error: unknown) =>
        setLive((now) => now && { ...now, failure: failureOf(error), shown: stopped(now.shown) }),
    );
  };

  const { running } = session;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again after each answer that it still runs.
  useEffect(() => {
    if (running === null || live) return;
    const timer = setTimeout(() => void look().catch(() => setSession((now) => ({ ...now }))), askMs);
    return () => clearTimeout(timer);
  }, [session, live]);

  const turnId = live ? live.shown.turnId : running?.turnId;
  return {
    session,
    turns,
    resumed: running && !live ? runningTurn(running) : null,
    cutOff: session.cutOff && { ...emptyTurn(session.cutOff.message), isRunning: false },
    live,
    isRunning: live?.shown.isRunning ?? running !== null,
    send: (message) => void deliver({ message, idempotencyKey: freshKey() }),
    sendAgain: () => live && void deliver(live.body),
    forget: () => setLive(null),
    stop: async () => {
      if (waiting.current) waiting.current.abort();
      else if (turnId) await stop(address, turnId);
    },
    decide: async (toolCallId, allow) => {
      if (turnId) await decide(address, turnId, toolCallId, allow);
      if (!live) await look();
    },
    look,
    lookAgain: () => {
      // What is missed now is asked for with the next word, or a reload.
      if (!live) void look().catch(() => {});
    },
  };
}

const stopped = (turn: ShownTurn): ShownTurn => ({ ...turn, isRunning: false });

const toldFailure = ({ data }: ToldEvent): ApiError =>
  new ApiError("INTERNAL_ERROR", String(data.message), { code: data.code });
