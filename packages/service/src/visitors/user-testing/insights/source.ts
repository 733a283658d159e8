/** @module The sessions of a window, as a source of insights. The scenario is what windows follow one another in. */
import type { ChatSessionId } from "@fettle/contract/core";
import { idOf } from "@fettle/contract/core";
import { digestOf } from "@fettle/evals";
import type { Unit } from "@fettle/insights";
import type { App } from "../../../core/app.ts";
import type { OpenScope, Source } from "../../../insights/source.ts";
import { type JoinedSession, listRatings } from "../session-store.ts";
import type { ScenarioRow } from "../store.ts";
import { endOf } from "../visit-sessions.ts";
import { readMet, readSnapshots } from "./offered.ts";
import { toUnit } from "./unit.ts";
import * as store from "./window-store.ts";
import { askedOf } from "./windows.ts";

export const windowSource: Source = {
  kind: "user_testing_window",
  unitKind: "session",
  unit: "sessions",
  part: "scenarios",
  open: async (app, projectId, scopeId) => {
    const found = await store.findWindow(app.db, projectId, scopeId);
    return found && openWindow(app, found.scenario, found.window);
  },
};

async function openWindow(app: App, scenario: ScenarioRow, window: store.WindowRow): Promise<OpenScope> {
  const { db } = app;
  const { projectId } = scenario;
  const sessions = await store.listSessions(db, window.sessionIds);
  const snapshots = await readSnapshots(db, projectId, window.sessionIds);
  const earlier = await store.findLatest(db, scenario.id, window);
  const before = earlier && (await readSnapshots(db, projectId, earlier.sessionIds));
  // What was erased since is no longer among them.
  const gone = window.sessionIds.length - sessions.length;
  return {
    ...(await askedOf(app, scenario, window)),
    at: window.frozenAt.getTime(),
    total: window.sessionCount - gone,
    units: sessions.map((found) => ({ id: found.session.id, stamp: stampOf(app, found) })),
    snapshots,
    // The newest of each server comes last.
    ...(before && {
      earlierSnapshots: Object.fromEntries(before.map(({ serverId, hash }) => [serverId, hash])),
    }),
    read: (ids) => readUnits(app, scenario, snapshots, ids),
  };
}

/** Other words, another rating, another end. */
function stampOf(app: App, { session, chat }: JoinedSession): string {
  const { rating, ratingCount, isNegative, comment, authInterrupted } = session;
  return digestOf([
    chat.version,
    endOf(app, session),
    rating,
    ratingCount,
    isNegative,
    comment,
    authInterrupted,
  ]);
}

async function readUnits(
  app: App,
  scenario: ScenarioRow,
  snapshots: OpenScope["snapshots"],
  wanted: readonly string[],
): Promise<Unit[]> {
  const { db } = app;
  const ids = wanted.map((id): ChatSessionId => idOf<"chatSession">().parse(id));
  const sessions = await store.listSessions(db, ids);
  const turns = Map.groupBy(await store.listTurns(db, ids), ({ sessionId }) => sessionId);
  const messages = Map.groupBy(await store.listMessages(db, ids), ({ sessionId }) => sessionId);
  const ratings = Map.groupBy(await listRatings(db, ...ids), ({ sessionId }) => sessionId);
  const met = await readMet(db, scenario.projectId, ids);
  return sessions.map((found) => {
    const own = met.get(found.session.id) ?? {};
    const offered = snapshots.filter(({ serverId, hash }) => own[serverId] === hash);
    return toUnit({
      ...found,
      scenario,
      ended: endOf(app, found.session),
      turns: turns.get(found.session.id) ?? [],
      messages: messages.get(found.session.id) ?? [],
      ratings: ratings.get(found.session.id) ?? [],
      met: own,
      ownerOf: (toolName) =>
        offered.find(({ tools }) => tools.some(({ name }) => name === toolName))?.serverId ?? null,
    });
  });
}
