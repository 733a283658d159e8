/** @module A visitor's own conversations: begun, read, rated, ended, erased. Nobody else's is ever found from here. */

import { ApiError, type ChatSessionId, type ChatTurnId, limits } from "@fettle/contract/core";
import {
  isBadRating,
  type VisitFeedbackRequest,
  type VisitMessage,
  type VisitSession,
} from "@fettle/contract/visitors";
import type { Message } from "@fettle/evals";
import type { App } from "../../core/app.ts";
import type { Transaction } from "../../core/db/pool.ts";
import { newId } from "../../core/id.ts";
import { missing } from "../../core/routing/not-found.ts";
import { forgetSession } from "../../insights/forget-quotes.ts";
import { dayOf } from "../../models/budget.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { findProject } from "../../people/projects/store.ts";
import { pendingCallsOf } from "../chat/reads.ts";
import { settle } from "../chat/settled.ts";
import * as chat from "../chat/store.ts";
import { restartMining } from "./insights/windows.ts";
import { endSession } from "./narrow-access.ts";
import { turnedAway } from "./refuse.ts";
import * as sessions from "./session-store.ts";
import * as store from "./store.ts";
import { countOne } from "./tallies.ts";
import { widgetCallsOf } from "./visit-calls.ts";
import { type Present, requireCurrent } from "./visits.ts";

const { userTesting } = limits;

export const noSession = () =>
  missing("There is no such conversation.", "Open the page again to begin another.");

/** Whoever leaves it alone for long has ended it. */
export function endOf(
  app: App,
  { ended, lastActivityAt }: Pick<sessions.SessionRow, "ended" | "lastActivityAt">,
): sessions.SessionRow["ended"] {
  const isIdle = lastActivityAt.getTime() < app.now() - userTesting.idleMs;
  return ended ?? (isIdle ? "idle" : null);
}

/** It goes on, and whoever has it may still go on with it. */
export function requireOpen(app: App, { visitor, scenario }: Present, session: sessions.SessionRow): void {
  if (session.accessVersion !== visitor.accessVersion) throw turnedAway("UNAUTHORIZED", "ACCESS_ENDED");
  if (endOf(app, session) !== null) throw turnedAway("CONFLICT", "SESSION_OVER");
  const isGuest = visitor.userId === null && visitor.memberId === null;
  if (isGuest && !scenario.guestExecution.enabled) throw turnedAway("FORBIDDEN", "GUESTS_OFF");
}

/** The conversation that is open, or was last. */
export async function readOwnSession(
  app: App,
  { visitor, scenario }: Present,
  id?: ChatSessionId,
): Promise<VisitSession | null> {
  const found = await sessions.findOwn(app.db, visitor.id, id);
  if (!found) return null;
  const { session, chat: row } = found;
  const ended = endOf(app, session);
  const messages = await chat.listMessages(app.db, row.id, { limit: userTesting.shownMessages });
  const ratings = await sessions.listRatings(app.db, row.id);
  const isRunning = row.runningUntil !== null && row.runningUntil.getTime() > app.now();
  const turn =
    row.runningTurnId === null ? undefined : await chat.findTurn(app.db, row.id, row.runningTurnId);
  return {
    sessionId: session.id,
    startedAt: session.startedAt.getTime(),
    ended,
    turnsLeft: Math.max(0, scenario.guestExecution.maxTurnsPerSession - row.turnCount),
    running: isRunning ? runningOf(turn) : null,
    cutOff: !isRunning && ended === null && turn?.message ? { message: turn.message } : null,
    messages: toVisitMessages(messages, await widgetCallsOf(app, row.id)),
    // One given in stars says nothing in thumbs: the page asks again, and the first stays.
    ratings: ratings
      .filter(({ style }) => style === scenario.feedback)
      .map(({ turnId, value, comment }) => ({ turnId, value, comment })),
    eraseUntil: ended === null ? null : eraseUntil(session),
  };
}

/** What was sent, and what the visitor is asked about: a page that was opened again goes on from there. */
function runningOf(turn: Awaited<ReturnType<typeof chat.findTurn>>): VisitSession["running"] {
  if (turn?.status !== "running") return null;
  const asks = pendingCallsOf(turn).map(({ toolCallId, toolName, input }) => ({
    toolCallId,
    toolName,
    input,
  }));
  return { turnId: turn.id, message: turn.message, asks };
}

const eraseUntil = ({ endedAt, lastActivityAt }: sessions.SessionRow) =>
  (endedAt ?? lastActivityAt).getTime() + userTesting.eraseMs;

/** Words, and the names of what was called before them; nothing that was sent to a tool or came from it. */
function toVisitMessages(
  rows: readonly { index: number; turnId: ChatTurnId; message: Message }[],
  hasWidget: (turnId: ChatTurnId, toolCallId: string) => boolean,
): VisitMessage[] {
  const shown: VisitMessage[] = [];
  let calls: VisitMessage["calls"] = [];
  for (const { index, turnId, message } of rows) {
    if (message.role === "tool") {
      const { toolCallId, name, isError } = message;
      calls.push({
        toolCallId,
        toolName: name,
        status: isError ? "error" : "ok",
        ...(hasWidget(turnId, toolCallId) && { hasWidget: true }),
      });
    } else if (message.role !== "system") {
      const text = message.role === "user" ? message.text : textOf(message);
      if (text === "") continue;
      shown.push({ index, turnId, role: message.role, text, calls });
      calls = [];
    }
  }
  return shown;
}

export const textOf = ({ parts }: Extract<Message, { role: "assistant" }>) =>
  parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");

/** Goes on with the one that is open; else begins one, with everything settled that later changes leave alone. */
export async function startSession(app: App, present: Present): Promise<VisitSession> {
  const { visitor, scenario } = present;
  if (!visitor.consentedAt) throw turnedAway("FORBIDDEN", "CONSENT_NEEDED");
  const open = await readOwnSession(app, present);
  if (open && open.ended === null) return open;
  const project = await findProject(app.db, scenario.projectId);
  if (!project) throw turnedAway("UNAUTHORIZED", "ACCESS_ENDED");
  const { toolMode, sharedSkillsEnabled, maxSessionsPerVisitorPerDay } = scenario.guestExecution;
  const settled = await settle(
    app,
    project,
    { environmentId: scenario.environmentId, toolMode },
    sharedSkillsEnabled,
  );
  const now = new Date(app.now());
  const id = newId("chatSession", app.now());
  const isBegun = await app.db.transaction(async (tx) => {
    const held = await store.holdScenario(tx, scenario.id);
    requireCurrent(visitor, held);
    const { day, resetsAt } = dayOf(app.now());
    const begun = await sessions.lockVisitor(tx, visitor.id, day);
    const latest = await sessions.findOwn(tx, visitor.id);
    // Two tabs of one visitor: the second goes on with what the first began.
    if (latest && endOf(app, latest.session) === null) return false;
    if (begun >= maxSessionsPerVisitorPerDay) {
      const wait = Math.ceil((resetsAt - app.now()) / 1000);
      throw turnedAway("RATE_LIMITED", "TOO_MANY_SESSIONS", { limit: maxSessionsPerVisitorPerDay }, wait);
    }
    await sessions.changeVisitor(tx, visitor.id, { begunOn: day, begunCount: begun + 1 });
    await begin(
      app,
      tx,
      present,
      {
        id,
        projectId: scenario.projectId,
        createdBy: null,
        origin: "scenario",
        model: settled.model,
        toolMode: settled.toolMode,
        settled,
        createdAt: now,
        lastActivityAt: now,
      },
      latest !== undefined,
    );
    return true;
  });
  const made = await readOwnSession(app, present, isBegun ? id : undefined);
  if (!made) throw noSession();
  return made;
}

async function begin(
  app: App,
  tx: Transaction,
  { visitor, scenario }: Present,
  row: Parameters<typeof chat.insertSession>[1],
  hasBegun: boolean,
): Promise<void> {
  await chat.insertSession(tx, row);
  // People of the project who try out what is for others are no visitors of theirs.
  const isSynthetic = visitor.isOfProject && scenario.mode !== "project_members";
  const { displayName, deviceKind, language, userId } = visitor;
  const isReturning = hasBegun || (await sessions.wasHere(tx, visitor));
  await sessions.insertSession(tx, {
    id: row.id,
    scenarioId: scenario.id,
    visitorId: visitor.id,
    accessVersion: visitor.accessVersion,
    population: isSynthetic ? "synthetic" : "real",
    authType: userId === null ? "guest" : "signedIn",
    recency: isReturning ? "returning" : "new",
    displayName,
    deviceKind,
    language,
    startedAt: row.createdAt,
    lastActivityAt: row.createdAt,
  });
  await countOne(tx, scenario.id, isSynthetic ? "synthetic" : "real");
  await announceInProject(app, tx, scenario.projectId, "sessions");
}

export async function endOwnSession(app: App, present: Present, id: ChatSessionId): Promise<VisitSession> {
  const found = await sessions.findOwn(app.db, present.visitor.id, id);
  if (!found) throw noSession();
  await app.db.transaction((tx) => endSession(app, tx, present.scenario, id, "visitor"));
  const ended = await readOwnSession(app, present, id);
  if (!ended) throw noSession();
  return ended;
}

/** The last word on a turn counts; what was said in another style before stays as it was. */
export async function rateTurn(
  app: App,
  { visitor, scenario }: Present,
  place: { sessionId: ChatSessionId; turnId: ChatTurnId },
  { value, comment = null }: VisitFeedbackRequest,
) {
  const { sessionId, turnId } = place;
  const { feedback: style } = scenario;
  if (style === "off") throw turnedAway("CONFLICT", "FEEDBACK_OFF");
  const [least, most] = style === "stars" ? [1, userTesting.stars] : [0, 1];
  if (value < least || value > most) {
    throw new ApiError("VALIDATION_ERROR", `A rating is ${least} to ${most} here.`, { path: "body.value" });
  }
  const found = await sessions.findOwn(app.db, visitor.id, sessionId);
  const turn = found && (await chat.findTurn(app.db, sessionId, turnId));
  if (!turn) throw noSession();
  if (turn.promptIndex === null) throw turnedAway("CONFLICT", "TURN_NOT_STORED", { retryAfterMs: 400 });
  await app.db.transaction(async (tx) => {
    await chat.lockSession(tx, sessionId);
    const at = new Date(app.now());
    await sessions.putRating(tx, { sessionId, turnId, style, value, comment: comment || null, at });
    const ratings = await sessions.listRatings(tx, sessionId);
    await sessions.changeSession(tx, sessionId, {
      rating: value,
      comment: ratings.findLast((rating) => rating.comment !== null)?.comment ?? null,
      ratingCount: ratings.length,
      isNegative: ratings.some((rating) => isBadRating(rating.value, rating.style)),
    });
    await announceInProject(app, tx, scenario.projectId, "sessions");
  });
  return { turnId, value, comment: comment || null };
}

/** Within a day of its end. */
export async function eraseOwnSession(app: App, { visitor, scenario }: Present, id: ChatSessionId) {
  const found = await sessions.findOwn(app.db, visitor.id, id);
  if (!found) throw noSession();
  if (endOf(app, found.session) !== null && eraseUntil(found.session) < app.now()) {
    throw turnedAway("CONFLICT", "SESSION_OVER");
  }
  await app.db.transaction((tx) => eraseSession(app, tx, scenario, id));
  return { sessionId: id, erased: true as const };
}

/** What was said, and who said it, is gone, also where findings quote it; that there was a session, and its counts, stay. */
export async function eraseSession(
  app: App,
  tx: Transaction,
  scenario: store.ScenarioRow,
  id: ChatSessionId,
): Promise<void> {
  await endSession(app, tx, scenario, id, "visitor");
  await chat.eraseSaid(tx, id);
  await sessions.eraseWords(tx, id);
  await restartMining(app, tx, scenario);
  await forgetSession(tx, { projectId: scenario.projectId, familyId: scenario.id }, id);
}
