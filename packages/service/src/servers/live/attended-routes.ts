/** @module Binds the operations of a person who asks a server and answers it. */

import { Readable } from "node:stream";
import { ApiError } from "@fettle/contract/core";
import type { Operations } from "@fettle/contract/operations";
import type { ServerAskRequest } from "@fettle/contract/servers";
import type { FastifyReply } from "fastify";
import { keepAlive, keepAliveMs } from "../../core/events/sse.ts";
import { type Bindings, bindResource, type Call } from "../../core/routing/bind.ts";
import { nothingHere } from "../../core/routing/not-found.ts";
import { theServer } from "../saved/routes.ts";
import { ask } from "./ask.ts";
import { attend } from "./attended.ts";
import { sampleForServer } from "./sampling.ts";
import { findSavedServer } from "./store.ts";
import { createTelling, frameOf } from "./telling.ts";

type AskCall = Call<Operations["streamServerAsk"]>;

export const attendedBindings = {
  streamServerAsk: async (call, response) => {
    const { app, caller, project, params, body } = call;
    const saved = await findSavedServer(app.db, {
      projectId: project.id,
      id: params.serverId,
      userId: caller.userId,
    });
    if (!saved) throw nothingHere();
    // What is asked is counted as a call; who only listens takes the place of a stream.
    if (body.asked.name === "listen") {
      const leave = app.openStreams.enter(caller);
      response.raw.once("close", leave);
      if (response.raw.destroyed) leave();
    }
    return response
      .type("text/event-stream; charset=utf-8")
      .headers({ "cache-control": "no-store", "x-accel-buffering": "no" })
      .send(Readable.from(frames(call, saved, body, response), { objectMode: true, highWaterMark: 1 }));
  },
  answerServer: async ({ app, caller, params, body }) => {
    await app.asks.say({ ...params, userId: caller.userId }, { kind: "answer", answer: body });
    return { askId: params.askId };
  },
  cancelServerAsk: async ({ app, caller, params }) => {
    await app.asks.say({ ...params, userId: caller.userId }, { kind: "cancel" });
    return { askId: params.askId };
  },
  sampleForServer: bindResource(theServer, ({ app, project, body, request }, { id }) =>
    sampleForServer(app, { ...project, serverId: id }, body, request.signal),
  ),
} satisfies Partial<Bindings>;

async function* frames(
  call: AskCall,
  saved: NonNullable<Awaited<ReturnType<typeof findSavedServer>>>,
  request: ServerAskRequest,
  response: FastifyReply,
): AsyncGenerator<string> {
  const { app, caller, params } = call;
  const told = createTelling();
  const left = AbortSignal.any([call.request.signal, response.server.stopping]);
  const place = { userId: caller.userId, serverId: params.serverId, askId: request.askId };
  const { asked } = request;
  const work = attend(
    {
      asks: app.asks,
      place,
      request,
      signal: left,
      work: (attending, signal) => {
        const asking = { app, caller, request: { signal }, attending };
        // Its schema was chosen by its name.
        return ask(asking, saved, asked.name, asked.input as never);
      },
    },
    told.push,
  ).finally(told.end);
  work.catch(() => {});
  yield keepAlive;
  for (;;) {
    const next = await told.next(keepAliveMs);
    if (next === "over") return;
    if (next !== "tick") yield* frameOf(next);
    else if (await mayStillRead(call)) yield keepAlive;
    else return;
  }
}

async function mayStillRead({ app, caller, project }: AskCall): Promise<boolean> {
  return app.audience.require({ ...caller, topics: [`project:${project.id}`] }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ApiError) return false;
      throw error;
    },
  );
}
