/** @module Takes effect on those who are in: their sessions are over, answers that are coming are stopped, and their pages hear of it. */
import type { ChatSessionId, ScenarioId, VisitorId } from "@fettle/contract/core";
import type { SessionEnd } from "@fettle/contract/visitors";
import type { App } from "../../core/app.ts";
import type { Transaction } from "../../core/db/pool.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { lockSession, stopVisitorTurns } from "../chat/store.ts";
import * as sessions from "./session-store.ts";
import type { ScenarioRow } from "./store.ts";

/** What a visitor's page follows: what becomes of the scenario, and of their own conversation alone. */
export const visitTopics = (scenarioId: ScenarioId, visitorId: VisitorId) => [
  `scenario:${scenarioId}`,
  `visitor:${visitorId}`,
];

/**
 * After the scenario's access version has grown, in the same transaction. Turns first, then sessions, as a turn that ends does: in
 * another order, the two could wait for each other.
 */
export async function endAllSessions(
  app: App,
  tx: Transaction,
  { id, projectId }: Pick<ScenarioRow, "id" | "projectId">,
): Promise<void> {
  await stopVisitorTurns(tx, id);
  await sessions.endOpen(tx, id, { ended: "access", endedAt: new Date(app.now()) });
  await app.events.publish(`scenario:${id}`, "changed", {}, { inTransaction: tx });
  await announceInProject(app, tx, projectId, "sessions");
}

/** Holds the conversation's row first, as everything does that changes more than one row of a session. */
export async function endSession(
  app: App,
  tx: Transaction,
  { id, projectId }: Pick<ScenarioRow, "id" | "projectId">,
  sessionId: ChatSessionId,
  ended: SessionEnd,
): Promise<void> {
  await lockSession(tx, sessionId);
  const visitorId = await sessions.endOne(tx, sessionId, { ended, endedAt: new Date(app.now()) });
  await stopVisitorTurns(tx, id, sessionId);
  if (visitorId) await app.events.publish(`visitor:${visitorId}`, "changed", {}, { inTransaction: tx });
  await announceInProject(app, tx, projectId, "sessions");
}
