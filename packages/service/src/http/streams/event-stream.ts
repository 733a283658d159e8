/** @module The live stream of a page, as server-sent events. Who may follow a topic is asked again whenever that may have changed. */
import { Readable } from "node:stream";
import { ApiError } from "@fettle/contract/core";
import type { Operations } from "@fettle/contract/operations";
import type { FastifyReply } from "fastify";
import type { StreamItem } from "../../core/events/events.ts";
import { keepAlive, sseBye, sseFrame } from "../../core/events/sse.ts";
import { withTicks } from "../../core/events/ticks.ts";
import type { Bindings, Call } from "../../core/routing/bind.ts";
import { innerTopic, outerTopic, parseTopics } from "./topics.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** Aborted when the service stops, so that streams end by themselves. */
    stopping: AbortSignal;
  }
}

type StreamCall = Call<Operations["streamEvents"]>;

/** When the service stops, another one, or its next start, should be there after this long. */
const comeBackMs = 1_000;

export const eventStreamBindings = {
  streamEvents: async (call, response) => {
    const topics = parseTopics(call.query.topics);
    const leave = call.app.openStreams.enter(call.caller);
    // Not when the frames end: of a stream whose reader left before the first, they never begin.
    response.raw.once("close", leave);
    if (response.raw.destroyed) leave();
    await call.app.audience.require({ ...call.caller, topics });
    return (
      response
        .type("text/event-stream; charset=utf-8")
        // Proxies that gather answers before they pass them on would make a live stream late.
        .headers({ "cache-control": "no-store", "x-accel-buffering": "no" })
        .send(Readable.from(frames(call, topics, response), { objectMode: true, highWaterMark: 1 }))
    );
  },
} satisfies Partial<Bindings>;

async function* frames(call: StreamCall, topics: string[], response: FastifyReply): AsyncGenerator<string> {
  const { app, caller, request } = call;
  const stopping = response.server.stopping;
  const ended = AbortSignal.any([request.signal, stopping]);
  const lastEventId = request.headers["last-event-id"];
  const items = app.events.subscribe({
    // One's own account is always heard: it tells when somebody's access changed.
    topics: [...new Set([...topics, "account"])].map((topic) => innerTopic(topic, caller)),
    lastEventId: typeof lastEventId === "string" ? lastEventId : undefined,
    openForMs: call.query.openForMs,
    signal: ended,
  });
  /** A check sees all that is committed, so whoever is behind asks once for all it has yet to hear. */
  let checkedTo = -1;
  yield keepAlive;
  try {
    for await (const item of withTicks(items, ended)) {
      if (item === "tick" || (mayChangeAccess(item) && Number(item.id) > checkedTo)) {
        checkedTo = app.events.reach();
        if (!(await isStillAllowed(call, topics))) {
          yield sseFrame({ kind: "reset", id: item === "tick" ? "0" : item.id }, app.now());
          return;
        }
      }
      if (item === "tick") yield keepAlive;
      else if (item.kind !== "event") yield sseFrame(item, app.now());
      else if (topics.includes(outerTopic(item.topic))) {
        yield sseFrame({ ...item, topic: outerTopic(item.topic) }, app.now());
      }
    }
    if (stopping.aborted) yield sseBye(app.now(), comeBackMs);
  } finally {
    await items.return?.();
  }
}

/** Roles are held by accounts, in organizations and projects; a change of any of these may be a change of access. */
function mayChangeAccess(item: StreamItem): boolean {
  return item.kind === "event" && /^(account|organization|project):/.test(item.topic);
}

async function isStillAllowed({ app, caller }: StreamCall, topics: string[]): Promise<boolean> {
  try {
    await app.audience.require({ ...caller, topics });
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
