/** @module A visitor's message and its answer: the same turn as anybody's, held to what the scenario allows. */
import { ApiError, type ChatSessionId, limits } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import {
  type SessionEnd,
  turnRefusals,
  type VisitTold,
  type VisitTurnRequest,
  visitRefusals,
} from "@fettle/contract/visitors";
import type { ToolCall } from "@fettle/evals";
import { sql } from "drizzle-orm";
import type { App } from "../../core/app.ts";
import type { Transaction } from "../../core/db/pool.ts";
import { scenarioSessions, type ToolUse } from "../../core/tables/user-testing.ts";
import { findProject } from "../../people/projects/store.ts";
import { type Attending, attend, type Told } from "../chat/attended.ts";
import { hasRoom, type Sending, type VisitorSending } from "../chat/claim.ts";
import type { Settled } from "../chat/settled.ts";
import { settledOf } from "../chat/store.ts";
import { createDial, requireLeft } from "./dial.ts";
import { keepOffered } from "./insights/offered.ts";
import { requirePace } from "./pace.ts";
import { turnedAway } from "./refuse.ts";
import * as sessions from "./session-store.ts";
import * as store from "./store.ts";
import type { PlaceInLine } from "./turn-lines.ts";
import { endOf, noSession, requireOpen } from "./visit-sessions.ts";
import { type Present, requireCurrent } from "./visits.ts";

const { userTesting, chat } = limits;

export type ToldVisitor = {
  [Event in keyof VisitTold]: { event: Event; data: VisitTold[Event] };
}[keyof VisitTold];

export interface Listener {
  ip: string;
  /** They have gone. */
  gone: AbortSignal;
  /** The service stops. */
  stopping: AbortSignal;
}

/** Refuses before the first word; after it, whatever goes wrong is the last thing told. */
export async function startVisitTurn(
  app: App,
  present: Present,
  sessionId: ChatSessionId,
  request: VisitTurnRequest,
  { ip, gone, stopping }: Listener,
): Promise<AsyncIterable<ToldVisitor>> {
  const { visitor, scenario } = present;
  const found = await sessions.findOwn(app.db, visitor.id, sessionId);
  const project = found && (await findProject(app.db, scenario.projectId));
  if (!project) throw noSession();
  await requirePace(app, present, ip, "turn");
  const settled = settledOf(found.chat);
  const { maxToolCallsPerTurn, requireApprovalForWrites } = scenario.guestExecution;
  const sending: Sending = {
    project,
    userId: visitor.userId,
    visitor: sendingOf(app, present, sessionId, settled),
    origin: "scenario",
    body: { ...request, maxSteps: chat.steps.fallback, maxToolCalls: maxToolCallsPerTurn },
    session: found.chat,
    settled,
    turnMs: userTesting.turnMs,
  };
  const asks: Attending["asks"] = ({ isReadOnly }) =>
    settled.asksBeforeCalls || (requireApprovalForWrites && !isReadOnly);
  const begin = async () =>
    toVisitor(app, present, sessionId, await attend(app, sending, { asks, stopping }));
  if (app.turnLines.isEmpty(scenario.id)) {
    const told = await begin().catch(async (error: unknown) => {
      if (isTooMany(error)) return undefined;
      throw error instanceof ApiError ? await forVisitor(app, sessionId, error) : error;
    });
    if (told) return told;
  }
  const place = app.turnLines.join(scenario.id);
  if (!place) throw turnedAway("RATE_LIMITED", "SCENARIO_BUSY", {}, chat.retryAfterMs / 1000);
  return inLine(app, place, AbortSignal.any([gone, stopping]), {
    hasRoom: () => hasRoom(app, sending),
    begin,
    failed: async (error) => failedEvent(await forVisitor(app, sessionId, error)),
  });
}

const isTooMany = (error: unknown): boolean =>
  error instanceof ApiError && error.details?.code === "TOO_MANY_TURNS";

interface Turn {
  hasRoom(): Promise<boolean>;
  begin(): Promise<AsyncIterable<ToldVisitor>>;
  failed(error: ApiError): Promise<ToldVisitor>;
}

/** Waits for a bounded time, tells how many are ahead, and begins. */
async function* inLine(
  app: App,
  place: PlaceInLine,
  over: AbortSignal,
  turn: Turn,
): AsyncGenerator<ToldVisitor> {
  const until = app.now() + userTesting.line.waitMs;
  let told: AsyncIterable<ToldVisitor> | undefined;
  let last = { ahead: -1, at: 0 };
  try {
    while (!told) {
      const ahead = place.ahead();
      // Again and again, so that nothing on the way takes the connection for dead.
      if (ahead !== last.ahead || performance.now() - last.at >= userTesting.line.tellMs) {
        last = { ahead, at: performance.now() };
        yield { event: "waiting", data: { ahead } };
      }
      if (over.aborted || app.now() >= until) throw turnedAway("RATE_LIMITED", "SCENARIO_BUSY");
      if (ahead === 0 && (await turn.hasRoom())) {
        told = await turn.begin().catch((error: unknown) => {
          // Another process was faster.
          if (isTooMany(error)) return undefined;
          throw error;
        });
      }
      if (!told) await place.moved(over);
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    yield await turn.failed(error);
    return;
  } finally {
    place.leave();
  }
  yield* told;
}

const failedEvent = ({ details, message }: ApiError): ToldVisitor => ({
  event: "failed",
  data: { code: String(details?.code), message },
});

function sendingOf(
  app: App,
  { visitor, scenario }: Present,
  sessionId: ChatSessionId,
  { target }: Settled,
): VisitorSending {
  // The people of a project spend as they do anywhere in it; everybody else is under the scenario's dial.
  const { projectId } = scenario;
  const dial = visitor.isOfProject ? undefined : createDial(app, scenario.id);
  return {
    id: visitor.id,
    scenarioId: scenario.id,
    concurrent: userTesting.concurrentTurns,
    admit: (tx) => admit(app, tx, { visitor, scenario }, sessionId),
    met: (offered) => keepOffered(app, { projectId, sessionId }, target.servers, offered),
    kept: (tx, { calls, tookMs }) => keep(app, tx, sessionId, calls, tookMs),
    dial,
  };
}

/** In the transaction that claims the turn: what narrows access either sees the turn and stops it, or is seen here. */
async function admit(
  app: App,
  tx: Transaction,
  { visitor, scenario }: Present,
  sessionId: ChatSessionId,
): Promise<void> {
  const held = await store.holdScenario(tx, scenario.id);
  requireCurrent(visitor, held);
  const found = await sessions.findOwn(tx, visitor.id, sessionId);
  if (!found) throw noSession();
  requireOpen(app, { visitor, scenario: held }, found.session);
  const { maxTurnsPerSession } = held.guestExecution;
  if (found.chat.turnCount >= maxTurnsPerSession) {
    throw turnedAway("CONFLICT", "TOO_MANY_TURNS_IN_SESSION", { limit: maxTurnsPerSession });
  }
  if (!visitor.isOfProject) await requireLeft(app, tx, held, found.chat.model);
  await tellTabs(app, tx, visitor.id);
}

/** The visitor's other tabs show it too. */
const tellTabs = (app: App, tx: Transaction, visitorId: Present["visitor"]["id"]) =>
  app.events.publish(`visitor:${visitorId}`, "changed", {}, { inTransaction: tx });

/** Beside the transcript, what lists and metrics are made of. */
async function keep(
  app: App,
  tx: Transaction,
  sessionId: ChatSessionId,
  calls: readonly ToolCall[],
  tookMs: number,
): Promise<void> {
  const session = await sessions.findSession(tx, sessionId);
  if (!session) return;
  const tools: ToolUse = { ...session.tools };
  for (const { server, toolName, isError } of calls) {
    const name = `${server ?? ""}/${toolName}`;
    const before = tools[name] ?? { server: server ?? "", calls: 0, errors: 0 };
    tools[name] = { ...before, calls: before.calls + 1, errors: before.errors + (isError === false ? 0 : 1) };
  }
  const errors = calls.filter(({ isError }) => isError !== false).length;
  await sessions.changeSession(tx, sessionId, {
    tools,
    toolErrorCount: session.toolErrorCount + errors,
    latencies: sql`array_append(${scenarioSessions.latencies}, ${Math.round(tookMs)}::integer)`,
    lastActivityAt: new Date(app.now()),
  });
  if (session.visitorId) await tellTabs(app, tx, session.visitorId);
}

/** What the page is told: no costs, addresses, prompts or results of tools. */
async function* toVisitor(
  app: App,
  present: Present,
  sessionId: ChatSessionId,
  told: AsyncIterable<Told>,
): AsyncGenerator<ToldVisitor> {
  for await (const heard of told) {
    const isLast = heard.event === "done" || heard.event === "failed";
    const found = isLast ? await sessions.findOwn(app.db, present.visitor.id, sessionId) : undefined;
    // Whatever an answer came to that was cut off with its session, the end is what there is to tell.
    const reason: SessionEnd | null = !isLast ? null : found ? endOf(app, found.session) : "erased";
    if (reason !== null) {
      yield { event: "ended", data: { reason } };
    } else if (heard.event === "done") {
      const { maxTurnsPerSession } = present.scenario.guestExecution;
      const turnsLeft = Math.max(
        0,
        maxTurnsPerSession - must(found, "a conversation that has an answer").chat.turnCount,
      );
      yield { event: "done", data: { turnId: heard.data.turnId, reply: heard.data.reply, turnsLeft } };
    } else if (heard.event === "failed") {
      const { code, message, details, status } = heard.data;
      yield failedEvent(await forVisitor(app, sessionId, new ApiError(code, message, details, { status })));
    } else {
      const shown = shownOf(heard);
      if (shown) yield shown;
    }
  }
}

function shownOf(heard: Told): ToldVisitor | undefined {
  switch (heard.event) {
    case "began":
    case "decided":
      return heard;
    case "text":
      return { event: heard.event, data: { text: heard.data.text } };
    case "tool-start": {
      const { toolCallId, toolName } = heard.data;
      return { event: heard.event, data: { toolCallId, toolName } };
    }
    case "tool-end": {
      const { toolCallId, toolName, status } = heard.data;
      return { event: heard.event, data: { toolCallId, toolName, status } };
    }
    case "ask": {
      const { toolCallId, toolName, input } = heard.data;
      return { event: heard.event, data: { toolCallId, toolName, input } };
    }
    default:
      return undefined;
  }
}

/** In words a stranger can read. What goes wrong behind the scenario is for those who run it. */
export async function forVisitor(app: App, sessionId: ChatSessionId, error: ApiError): Promise<ApiError> {
  const { code, details = {}, retryAfter } = error;
  const reason = String(details.code ?? code);
  if (reason === "TOO_MANY_TURNS") return turnedAway("RATE_LIMITED", "SCENARIO_BUSY", {}, retryAfter);
  if (reason === "MODEL_SPEND_LIMIT" || reason === "MODEL_PRICE_UNKNOWN") {
    return turnedAway("RATE_LIMITED", "DAILY_CAP_REACHED", {}, retryAfter);
  }
  // Said to the visitor in the first place, and nobody else's.
  if (Object.hasOwn(visitRefusals, reason) || Object.hasOwn(turnRefusals, reason)) return error;
  app.log.warn("a visitor's turn failed", { sessionId, error });
  if (code !== "OAUTH_REQUIRED") return turnedAway("SERVER_UNREACHABLE", "BEHIND_FAILED");
  await sessions.changeSession(app.db, sessionId, { authInterrupted: true });
  return turnedAway("CONFLICT", "SIGN_IN_ELSEWHERE");
}
