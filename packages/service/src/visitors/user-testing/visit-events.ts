/** @module Tells a visitor's page what happened elsewhere: in another tab, or that the visit is over. */
import { ApiError } from "@fettle/contract/core";
import type { SessionEnd } from "@fettle/contract/visitors";
import type { App } from "../../core/app.ts";
import { keepAlive } from "../../core/events/sse.ts";
import { withTicks } from "../../core/events/ticks.ts";
import { visitTopics } from "./narrow-access.ts";
import * as sessions from "./session-store.ts";
import { endOf } from "./visit-sessions.ts";
import { type Coming, type Present, requireVisit } from "./visits.ts";

/** Ends with the visit, or with the conversation that was open. Asked whenever it may be over, and every few seconds. */
export async function* visitFrames(
  app: App,
  coming: Coming,
  { scenario, visitor }: Present,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const items = app.events.subscribe({ topics: visitTopics(scenario.id, visitor.id), signal });
  // Known before the page is told that it is heard: whatever ends from then on is told.
  let { open } = await latestOf(app, visitor);
  yield keepAlive;
  try {
    for await (const item of withTicks(items, signal)) {
      const { id, ended, open: stillOpen } = await latestOf(app, visitor);
      const isOver = open !== undefined && (id !== open || ended !== null);
      const reason: SessionEnd | null = (await isOut(app, coming, scenario))
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
async function latestOf(app: App, visitor: Present["visitor"]) {
  const latest = await sessions.findOwn(app.db, visitor.id);
  const ended = latest ? endOf(app, latest.session) : null;
  return { id: latest?.session.id, ended, open: ended === null ? latest?.session.id : undefined };
}

async function isOut(app: App, coming: Coming, { id }: Present["scenario"]): Promise<boolean> {
  try {
    await requireVisit(app, coming, id);
    return false;
  } catch (error) {
    if (error instanceof ApiError) return true;
    throw error;
  }
}
