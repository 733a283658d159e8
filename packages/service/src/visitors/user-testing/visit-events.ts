/** @module Tells a visitor's page what happened elsewhere: in another tab, or that the visit is over. */
import { ApiError, type UserId } from "@fettle/contract/core";
import type { SessionEnd } from "@fettle/contract/visitors";
import type { App } from "../../core/app.ts";
import { keepAlive } from "../../core/events/sse.ts";
import { withTicks } from "../../core/events/ticks.ts";
import { visitTopics } from "./narrow-access.ts";
import { endOf } from "./visit-sessions.ts";
import type { Watched } from "./visit-watch.ts";
import { type Coming, type Present, requireStillIn, userOf } from "./visits.ts";

/** Ends with the visit, or with the conversation that was open. Asked whenever it may be over, and every few seconds. */
export async function* visitFrames(
  app: App,
  coming: Coming,
  { scenario, visitor }: Present,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const items = app.events.subscribe({ topics: visitTopics(scenario.id, visitor.id), signal });
  const latest = async () => {
    const watched = await app.visitWatch.look(visitor.id);
    return { watched, ...latestOf(app, watched) };
  };
  // Known before the page is told that it is heard: whatever ends from then on is told.
  let { open } = await latest();
  yield keepAlive;
  try {
    for await (const item of withTicks(items, signal)) {
      const { watched, id, ended, open: stillOpen } = await latest();
      const isOver = open !== undefined && (id !== open || ended !== null);
      const reason: SessionEnd | null = (await isOut(app, userOf(coming), watched))
        ? "access"
        : isOver
          ? ended
          : null;
      if (reason !== null) {
        yield `event: ended\ndata: ${JSON.stringify({ reason })}\n\n`;
        return;
      }
      open = stillOpen;
      yield item === "tick" ? keepAlive : "event: changed\ndata: {}\n\n";
    }
  } finally {
    await items.return?.();
  }
}

/** The visitor's latest conversation; `open` while it is. */
function latestOf(app: App, watched: Watched | undefined) {
  const latest = watched?.latest;
  const ended = latest ? endOf(app, latest) : null;
  return { id: latest?.id, ended, open: ended === null ? latest?.id : undefined };
}

async function isOut(app: App, userId: UserId | null, watched: Watched | undefined): Promise<boolean> {
  if (!watched) return true;
  try {
    await requireStillIn(app, userId, watched);
    return false;
  } catch (error) {
    if (error instanceof ApiError) return true;
    throw error;
  }
}
