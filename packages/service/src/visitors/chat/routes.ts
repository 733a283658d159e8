/** @module Binds the operations on conversations. */
import { Readable } from "node:stream";
import { type ChatSessionId, limits, type ProjectId } from "@fettle/contract/core";
import { keepAlive } from "../../core/events/sse.ts";
import { refuseTwoKeys } from "../../core/idempotency/idempotency.ts";
import { type Bindings, bindResource, type Call, type SignedInCaller } from "../../core/routing/bind.ts";
import { originOf } from "../../people/accounts/origin.ts";
import { decideCall, startAttended, stopTurn, type Told } from "./attended.ts";
import { listFeed } from "./feed.ts";
import { findReadable, placeOf } from "./place.ts";
import { promoteSession } from "./promote.ts";
import * as reads from "./reads.ts";
import { refused } from "./refuse.ts";
import { branchSession, removeSession, updateSession } from "./sessions.ts";
import { playTurn } from "./turn.ts";

type Asked = Pick<Call<never>, "app"> & { caller: SignedInCaller; params: { sessionId: ChatSessionId } };

const readable = async (call: Asked & { query?: { projectId?: ProjectId | undefined } }) =>
  (await findReadable(call.app, call.caller, call.params.sessionId, call.query?.projectId))?.session;

/** What others have shared is read, and not touched. */
const own = async (call: Asked) => {
  const session = await readable(call);
  return session?.createdBy === call.caller.userId ? session : undefined;
};

const unattended = new AbortController().signal;

export const chatBindings = {
  sendChatMessage: async ({ app, caller, body, request }) => {
    refuseTwoKeys(request.headers, body.idempotencyKey);
    const place = await placeOf(app, caller, body);
    if (place.settled.asksBeforeCalls) throw refused("FEATURE_NOT_SUPPORTED", "APPROVAL_UNSUPPORTED");
    const { userId } = caller;
    const sending = { ...place, userId, origin: "api", body, turnMs: limits.chat.turnMs } as const;
    // Not ended with the request: it is paid for, and is there for whoever asks again.
    return playTurn(app, sending, { stop: unattended });
  },
  getChatSession: bindResource(readable, ({ app, caller, query }, session) =>
    reads.readSession(app, session, caller.userId, query),
  ),
  getChatSessionTrace: bindResource(readable, ({ app, query }, session) =>
    reads.readTrace(app, session, query),
  ),
  promoteChatSession: bindResource(readable, ({ app, db, caller, body }, session) =>
    promoteSession(app, db, caller, session, body),
  ),
  listChatSessions: ({ app, caller, query }) => {
    const { before, limit, ...filter } = query;
    const boundTo = caller.kind === "key" ? caller.organizationId : null;
    return reads.listSessions(app, { userId: caller.userId, boundTo, ...filter }, { before, limit });
  },
  listSessions: ({ app, caller, project, query, request }) =>
    listFeed(app, project, caller.userId, query, originOf(app.config, request.headers)),

  streamChatTurn: async ({ app, caller, body }, response) => {
    const told = await startAttended(app, caller, body, response.server.stopping);
    return response
      .type("text/event-stream; charset=utf-8")
      .headers({ "cache-control": "no-store", "x-accel-buffering": "no" })
      .send(Readable.from(frames(told), { objectMode: true, highWaterMark: 1 }));
  },
  stopChatTurn: bindResource(own, ({ app, params }, session) => stopTurn(app, session.id, params.turnId)),
  decideChatCall: bindResource(own, ({ app, params, body }, session) =>
    decideCall(app, session.id, params.turnId, body),
  ),
  getChatTurnWire: bindResource(readable, ({ app, params }, session) =>
    reads.readWire(app, session, params.turnId),
  ),
  branchChatSession: bindResource(own, ({ app, body }, session) =>
    branchSession(app, session, body.beforeTurnId),
  ),
  updateChatSession: bindResource(own, ({ app, body }, session) => updateSession(app, session, body)),
  deleteChatSession: bindResource(own, ({ app }, session) => removeSession(app, session)),
} satisfies Partial<Bindings>;

async function* frames(told: AsyncIterable<Told>): AsyncGenerator<string> {
  yield keepAlive;
  for await (const { event, data } of told) yield `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
