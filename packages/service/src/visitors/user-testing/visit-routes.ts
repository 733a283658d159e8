/** @module Binds what visitors do; each but the first asks for the cookie that coming by the link gave. */
import { Readable } from "node:stream";
import type { ChatSessionId, ChatTurnId, ScenarioId } from "@fettle/contract/core";
import type { FastifyReply } from "fastify";
import { keepAlive } from "../../core/events/sse.ts";
import { networkOf } from "../../core/limits/network.ts";
import type { Bindings, Call, Caller } from "../../core/routing/bind.ts";
import { decideCall, stopTurn } from "../chat/attended.ts";
import { findOwn } from "./session-store.ts";
import { visitFrames } from "./visit-events.ts";
import * as sessions from "./visit-sessions.ts";
import { startVisitTurn, type ToldVisitor } from "./visit-turn.ts";
import { askForVisitWidget, renderVisitWidget } from "./visit-widgets.ts";
import { type Coming, consent, type Present, readVisit, redeem, requireVisit } from "./visits.ts";

type Visiting = Pick<Call<never>, "app" | "request"> & { caller: Caller };

const comingOf = ({ caller, request }: Visiting): Coming => ({
  caller,
  ip: request.ip,
  headers: request.headers,
});

const present = (call: Visiting & { params: { scenarioId: ScenarioId } }): Promise<Present> =>
  requireVisit(call.app, comingOf(call), call.params.scenarioId);

/** One of their own, or none. */
async function ownSession(
  call: Visiting & { params: { scenarioId: ScenarioId; sessionId: ChatSessionId } },
): Promise<ChatSessionId> {
  const { visitor } = await present(call);
  const found = await findOwn(call.app.db, visitor.id, call.params.sessionId);
  if (!found) throw sessions.noSession();
  return found.session.id;
}

const askingOf = (
  { params, request }: Visiting & { params: { sessionId: ChatSessionId; turnId: ChatTurnId } },
  toolCallId: string,
) => ({ ...params, toolCallId, ip: request.ip, signal: request.signal });

export const visitBindings = {
  redeemScenarioLink: async (call) => {
    const { visit, cookie } = await redeem(call.app, comingOf(call), call.body.linkToken);
    call.reply.header("set-cookie", cookie);
    return visit;
  },
  getVisit: async (call) => readVisit(call.app, await present(call)),
  consentToVisit: async (call) => consent(call.app, await present(call), call.body.displayName),
  startVisitSession: async (call) => sessions.startSession(call.app, await present(call)),
  streamVisitTurn: async (call, response) => {
    const { app, params, body, request } = call;
    const here = { ip: request.ip, gone: request.signal, stopping: response.server.stopping };
    const told = await startVisitTurn(app, await present(call), params.sessionId, body, here);
    return stream(response, frames(told));
  },
  stopVisitTurn: async (call) => stopTurn(call.app, await ownSession(call), call.params.turnId),
  decideVisitCall: async (call) =>
    decideCall(call.app, await ownSession(call), call.params.turnId, call.body),
  renderVisitWidget: async (call) =>
    renderVisitWidget(call.app, await present(call), askingOf(call, call.body.toolCallId)),
  askForVisitWidget: async (call) =>
    askForVisitWidget(call.app, await present(call), askingOf(call, call.body.toolCallId), call.body),
  rateVisitTurn: async (call) => sessions.rateTurn(call.app, await present(call), call.params, call.body),
  endVisitSession: async (call) =>
    sessions.endOwnSession(call.app, await present(call), call.params.sessionId),
  eraseVisitSession: async (call) =>
    sessions.eraseOwnSession(call.app, await present(call), call.params.sessionId),
  streamVisitEvents: async (call, response) => {
    const { app, request } = call;
    const here = await present(call);
    const leave = app.visitStreams.enter({ sessionId: here.visitor.id, userId: networkOf(request.ip) });
    response.raw.once("close", leave);
    if (response.raw.destroyed) leave();
    const ended = AbortSignal.any([request.signal, response.server.stopping]);
    return stream(response, visitFrames(app, comingOf(call), here, ended));
  },
} satisfies Partial<Bindings>;

function stream(response: FastifyReply, lines: AsyncGenerator<string>): FastifyReply {
  return response
    .type("text/event-stream; charset=utf-8")
    .headers({ "cache-control": "no-store", "x-accel-buffering": "no" })
    .send(Readable.from(lines, { objectMode: true, highWaterMark: 1 }));
}

async function* frames(told: AsyncIterable<ToldVisitor>): AsyncGenerator<string> {
  yield keepAlive;
  for await (const { event, data } of told) yield `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
